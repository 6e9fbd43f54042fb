"""Taking over matches of files: each is judged by what is here, and what is new of it is stored."""
