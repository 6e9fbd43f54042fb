"""Authentication and authorization: accounts, tokens, sessions, links, and the rights that follow from them."""
