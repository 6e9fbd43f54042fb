"""HTTP: middleware, declarations of routes, parsing, responses, problem documents."""
