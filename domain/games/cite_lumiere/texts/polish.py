"""Polish texts of La Cité de la Lumière. Names are in the nominative, so that no sentence has to inflect them."""

from domain.sentences import Texts

POLISH: Texts = {
    "words": {"and": "i"},
    "counts": {
        "lamp": "{number} latarnia|{number} latarnie|{number} latarni",
        "point": "{number} punkt|{number} punkty|{number} punktów",
        "space": "{number} pole|{number} pola|{number} pól",
        "tile": "{number} żeton bruku|{number} żetony bruku|{number} żetonów bruku",
        "token": "{number} żeton akcji|{number} żetony akcji|{number} żetonów akcji",
    },
    "names": {
        "orange": "Pomarańczowy",
        "blue": "Niebieski",
        "paving": "układanie bruku",
        "building": "układanie budynków",
        "garden": "ogród botaniczny",
        "fountain": "fontanna",
        "bouquinistes": "Bouquinistes sur la Seine",
        "chartier": "Chartier",
        "fontaine_des_mers": "Fontaine des Mers",
        "jardin_des_plantes": "Jardin des Plantes",
        "la_grande_lumiere": "La Grande Lumière",
        "lampadaire": "Lampadaire",
        "le_peintre": "Le Peintre",
        "le_penseur": "Le Penseur",
        "levitation": "Levitation",
        "metropolitain": "Metropolitain",
        "moulin_rouge": "Moulin Rouge",
        "sacre_coeur": "Sacré-Cœur",
        "n": "północ",
        "e": "wschód",
        "s": "południe",
        "w": "zachód",
    },
    "moves": {
        "pave": "{seat}: brukuje obszar {space} żetonem {tile}.",
        "pave_turned": "{seat}: brukuje obszar {space} żetonem {tile}, obrót o {rotation} stopni.",
        "take": "{seat}: zdobywa budynek {building} z puli.",
        "pass": "{seat}: pasuje.",
        "build": "{seat}: kładzie budynek {building} na {spaces}.",
        "build_with_rights": "{seat}: kładzie budynek {building} na {spaces}, korzysta z pocztówki {rights}.",
        "declined": "{seat}: bierze pocztówkę {card} i nie przeprowadza jej akcji.",
        "metropolitain": "{seat}: bierze Metropolitain i będzie mógł zakryć latarnię jednym z następnych budynków.",
        "chartier": "{seat}: bierze Chartier i będzie mógł budować na jednym polu w kolorze przeciwnika.",
        "sacre_coeur": "{seat}: bierze Sacré-Cœur i nie traci punktów za niewybudowane budynki.",
        "bouquinistes": "{seat}: bierze Bouquinistes sur la Seine, poddasze na {space} powiększa budynek {building}.",
        "fontaine_des_mers": "{seat}: bierze Fontaine des Mers i kładzie fontannę na {spaces}.",
        "jardin_des_plantes": "{seat}: bierze Jardin des Plantes i kładzie ogród botaniczny na {spaces}.",
        "jardin_des_plantes_with_rights": (
            "{seat}: bierze Jardin des Plantes i kładzie ogród botaniczny na {spaces}, korzysta z pocztówki {rights}."
        ),
        "fontaine_des_mers_with_rights": (
            "{seat}: bierze Fontaine des Mers i kładzie fontannę na {spaces}, korzysta z pocztówki {rights}."
        ),
        "la_grande_lumiere": "{seat}: bierze La Grande Lumière i kładzie dużą latarnię na {space}.",
        "lampadaire": "{seat}: bierze Lampadaire i kładzie latarnię na {space}.",
        "le_peintre": "{seat}: bierze Le Peintre i stawia malarza na {space}.",
        "le_penseur": "{seat}: bierze Le Penseur i kładzie rzeźbę na {space}, przodem na {facing}.",
        "levitation": "{seat}: bierze Levitation, zamienia {give} na {take} i kładzie go na {spaces}.",
        "levitation_with_rights": (
            "{seat}: bierze Levitation, zamienia {give} na {take} i kładzie go na {spaces}, "
            "korzysta z pocztówki {rights}."
        ),
        "moulin_rouge": "{seat}: bierze Moulin Rouge i stawia tancerkę na {space}.",
    },
    "score": {
        "lit": "{building} zajmuje {size}, światło pada z {lamps}: {points}.",
        "dark": "{building} zajmuje {size} i nie oświetla go żadna latarnia: bez punktów.",
        "group": "Największa grupa to {buildings}: {points}, po jednym za każde pole.",
        "unbuilt": "Niewybudowane: {buildings}, w sumie minus {points}.",
        "spared": "Niewybudowane: {buildings}, ale dzięki Sacré-Cœur bez straty punktów.",
        "fontaine_des_mers": "Fontanna styka się z budynkami gracza: {points}, po trzy za każdy.",
        "fontaine_des_mers_nothing": "Fontanna nie styka się z żadnym budynkiem gracza: bez punktów.",
        "le_peintre": "Malarz widzi latarnie na {spaces}: {points}, po dwa za każdą.",
        "le_peintre_nothing": "Malarz nie widzi żadnej latarni: bez punktów.",
        "le_penseur": "Puste pola wokół rzeźby, w tym pole przed nią: {spaces}, razem {points}.",
        "le_penseur_nothing": "Pole przed rzeźbą nie jest puste: bez punktów.",
        "moulin_rouge": "Puste pola w przestrzeni tancerki razem z jej własnym: {spaces}, razem {points}.",
    },
    "gains": {
        "lit_new": "{lamps} × {size}",
        "lit": "oświetlone {points}",
        "group": "grupa {points}",
        "unbuilt": "niewybudowane {points}",
        "postcards": "pocztówki {points}",
    },
    "features": {
        "postcard_taken": "Gracz wziął pocztówkę {card}.",
        "postcard_used": "Gracz wziął pocztówkę {card} i wykorzystał jej efekt.",
        "postcard_right_used": "Gracz wziął pocztówkę {card} i skorzystał z prawa, które daje.",
        "postcard_declined": "Gracz wziął pocztówkę {card} i zrezygnował z jej efektu.",
        "building_taken": "Gracz wziął budynek {building} z zasobów.",
        "building_built": "Budynek {building} gracza leży na planszy na koniec partii.",
        "built_spaces": "Ile pól zajmują na koniec budynki gracza razem z ogrodem i przybudówką; to część wyniku.",
        "lamps": (
            "Ile latarni oświetla budynki gracza, przy czym latarnia liczy się osobno dla każdego "
            "oświetlonego budynku; to część wyniku."
        ),
        "lit": "Punkty gracza za oświetlone budynki; to część wyniku.",
        "group": "Punkty gracza za największą grupę budynków; to część wyniku.",
        "unbuilt": "Ile budynków gracz wziął i nie wybudował; to część wyniku.",
        "free_spaces": "Ile pól w kolorze gracza jest na koniec pustych, co rozstrzyga przy równych punktach.",
        "own_spaces_paved": (
            "Ile pól we własnym kolorze jest na płytkach bruku gracza; w jednym wydaniu zawsze tyle samo."
        ),
        "mixed_spaces_paved": "Ile pól mieszanych jest na płytkach bruku gracza; w jednym wydaniu zawsze tyle samo.",
        "lamps_paved": "Ile latarni jest na płytkach bruku gracza; w jednym wydaniu zawsze tyle samo.",
        "lead_changes": (
            "Ile razy inny gracz obejmował samodzielne prowadzenie, licząc po każdym ruchu od końca układania bruku."
        ),
        "opening": (
            "Pierwsze ruchy układania bruku, najwyżej sześć; plansze różniące się tylko obrotem liczą się jako jedna."
        ),
    },
    "refusals": {
        "match_over": "Partia jest już skończona.",
        "wrong_phase": "Ten ruch nie jest teraz możliwy, trwa {phase}.",
        "not_your_turn": "Teraz gra {turn}, a nie {seat}.",
        "not_a_square": "Pole {space} nie jest lewym górnym polem obszaru.",
        "square_taken": "Obszar {space} jest już wybrukowany.",
        "tile_not_yours": "Żeton {tile} należy do przeciwnika.",
        "tile_placed": "Żeton {tile} leży już na planszy.",
        "not_in_supply": "Budynku {building} nie ma w puli.",
        "pass_with_tiles": "Do położenia jeszcze {count}, więc nie można spasować.",
        "not_in_reserve": "Tego budynku nie ma w zasobach gracza: {building}.",
        "no_chimney": "Nie został ani jeden komin, więc nie można już budować.",
        "shape_mismatch": "{piece} ma inny kształt niż {spaces}.",
        "space_not_free": "Na {spaces} już coś leży.",
        "wrong_colour": "Na {spaces} jest kolor przeciwnika.",
        "lamp_covered": "Na {spaces} jest latarnia, której nie wolno zakrywać.",
        "card_not_in_play": "Pocztówki {card} nie ma w tej partii.",
        "card_taken": "Pocztówka {card} jest już zajęta.",
        "no_token": "Nie ma już żetonu akcji, żeby wziąć pocztówkę.",
        "pass_with_token": "Do wykorzystania jeszcze {count}, więc nie można spasować.",
        "pass_with_building": "W zasobach jest jeszcze budynek, który da się położyć, więc nie można spasować.",
        "skipped": "{seat} nie może ani budować, ani wziąć pocztówki i jest pomijany, pasu się nie zapisuje.",
        "not_own_colour": "Pole {space} nie jest w kolorze gracza.",
        "not_your_building": "Poddasze musi powiększać własny budynek gracza na planszy.",
        "annex_unclear": "Poddasze na {space} może powiększyć kilka budynków, trzeba wskazać jeden z nich.",
        "not_adjacent": "Poddasze na {space} nie styka się z budynkiem, który miałoby powiększyć.",
        "front_not_free": "Przed rzeźbą na {space} nie ma pustego pola.",
        "not_a_lamp": "Duża latarnia musi zastąpić latarnię bruku, a na {space} jej nie ma.",
    },
}
