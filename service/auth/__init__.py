"""Who may do what: accounts, tokens, sessions, links, and the rights that follow from them."""
