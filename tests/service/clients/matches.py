"""The matches that generated clients begin."""

MATCHES = [
    {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": {
            "first": "orange",
            "postcards": [
                *("bouquinistes", "chartier", "jardin_des_plantes", "lampadaire"),
                *("le_peintre", "levitation", "metropolitain", "sacre_coeur"),
            ],
        },
    },
    {
        "game": "paris",
        "players": [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": {"advanced": False, "variant": None},
    },
]
