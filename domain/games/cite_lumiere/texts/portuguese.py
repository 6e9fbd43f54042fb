"""Portuguese texts of La Cité de la Lumière."""

from domain.sentences import Texts

PORTUGUESE: Texts = {
    "words": {"and": "e"},
    "counts": {
        "lamp": "{number} candeeiro|{number} candeeiros",
        "point": "{number} ponto|{number} pontos",
        "space": "{number} espaço|{number} espaços",
        "tile": "{number} peça de calçada|{number} peças de calçada",
        "token": "{number} ficha de ação|{number} fichas de ação",
    },
    "names": {
        "orange": "Laranja",
        "blue": "Azul",
        "paving": "calçada",
        "building": "construção",
        "garden": "o jardim botânico",
        "fountain": "a fonte",
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
        "n": "norte",
        "e": "este",
        "s": "sul",
        "w": "oeste",
    },
    "moves": {
        "pave": "{seat} cobre o quadrado {space} com a peça {tile}.",
        "pave_turned": "{seat} cobre o quadrado {space} com a peça {tile}, rodada {rotation} graus.",
        "take": "{seat} tira o edifício {building} da provisão geral.",
        "pass": "{seat} passa a vez.",
        "build": "{seat} coloca o edifício {building} em {spaces}.",
        "build_with_rights": "{seat} coloca o edifício {building} em {spaces}, usando {rights}.",
        "declined": "{seat} fica com o postal {card} e não usa a sua ação.",
        "metropolitain": "{seat} fica com o Metropolitain e poderá cobrir um candeeiro com um edifício.",
        "chartier": "{seat} fica com o Chartier e poderá construir num espaço da cor do adversário.",
        "sacre_coeur": "{seat} fica com o Sacré-Cœur e não perde pontos por edifícios não construídos.",
        "bouquinistes": "{seat} fica com Bouquinistes sur la Seine e junta o anexo em {space} ao edifício {building}.",
        "fontaine_des_mers": "{seat} fica com a Fontaine des Mers e coloca a fonte em {spaces}.",
        "jardin_des_plantes": "{seat} fica com o Jardin des Plantes e coloca o jardim botânico em {spaces}.",
        "jardin_des_plantes_with_rights": (
            "{seat} fica com o Jardin des Plantes e coloca o jardim botânico em {spaces}, usando {rights}."
        ),
        "fontaine_des_mers_with_rights": (
            "{seat} fica com a Fontaine des Mers e coloca a fonte em {spaces}, usando {rights}."
        ),
        "la_grande_lumiere": "{seat} fica com La Grande Lumière e coloca o candeeiro grande em {space}.",
        "lampadaire": "{seat} fica com o Lampadaire e coloca um candeeiro em {space}.",
        "le_peintre": "{seat} fica com Le Peintre e coloca o pintor em {space}.",
        "le_penseur": "{seat} fica com Le Penseur e coloca a estátua em {space}, voltada para {facing}.",
        "levitation": "{seat} fica com Levitation, troca {give} por {take} e coloca-o em {spaces}.",
        "levitation_with_rights": (
            "{seat} fica com Levitation, troca {give} por {take} e coloca-o em {spaces}, usando {rights}."
        ),
        "moulin_rouge": "{seat} fica com Moulin Rouge e coloca a dançarina em {space}.",
    },
    "score": {
        "lit": "{building} ocupa {size} e recebe luz de {lamps}: {points}.",
        "dark": "{building} ocupa {size} e nenhum candeeiro o ilumina: sem pontos.",
        "group": "O maior conjunto é {buildings}: {points}, um por cada espaço.",
        "unbuilt": "Por construir: {buildings}, com perda de {points}.",
        "spared": "Por construir: {buildings}, mas sem perda de pontos graças ao Sacré-Cœur.",
        "fontaine_des_mers": "A fonte toca em edifícios do jogador: {points}, três por cada um.",
        "fontaine_des_mers_nothing": "A fonte não toca em nenhum edifício do jogador: sem pontos.",
        "le_peintre": "O pintor vê os candeeiros em {spaces}: {points}, dois por cada um.",
        "le_peintre_nothing": "O pintor não vê nenhum candeeiro: sem pontos.",
        "le_penseur": "Livres à volta da estátua, incluindo o espaço à sua frente: {spaces}, o que dá {points}.",
        "le_penseur_nothing": "O espaço à frente da estátua não está livre: sem pontos.",
        "moulin_rouge": "Espaços livres na área da dançarina, incluindo o seu: {spaces}, o que dá {points}.",
    },
    "gains": {
        "lit_new": "{lamps} × {size}",
        "lit": "iluminados {points}",
        "group": "conjunto {points}",
        "unbuilt": "por construir {points}",
        "postcards": "postais {points}",
    },
    "features": {
        "postcard_taken": "O jogador ficou com o postal {card}.",
        "postcard_used": "O jogador ficou com o postal {card} e usou o seu efeito.",
        "postcard_right_used": "O jogador ficou com o postal {card} e usou o direito que ele dá.",
        "postcard_declined": "O jogador ficou com o postal {card} e prescindiu do seu efeito.",
        "building_taken": "O jogador tirou o edifício {building} da reserva comum.",
        "building_built": "O edifício {building} do jogador está no tabuleiro no fim.",
        "built_spaces": (
            "Quantos espaços ocupam no fim os edifícios do jogador, incluindo o jardim e o anexo; faz parte "
            "da pontuação."
        ),
        "lamps": (
            "Quantos candeeiros iluminam os edifícios do jogador, contando cada um por cada edifício que "
            "ilumina; faz parte da pontuação."
        ),
        "lit": "Os pontos do jogador por edifícios iluminados; faz parte da pontuação.",
        "group": "Os pontos do jogador pelo maior conjunto de edifícios; faz parte da pontuação.",
        "unbuilt": "Quantos edifícios o jogador tirou e não construiu; faz parte da pontuação.",
        "free_spaces": "Quantos espaços da cor do jogador estão livres no fim, o que desempata pontos iguais.",
        "own_spaces_paved": (
            "Quantos espaços da própria cor mostram as peças do jogador, o que é igual em todas as partidas "
            "de uma edição."
        ),
        "mixed_spaces_paved": (
            "Quantos espaços mistos mostram as peças do jogador, o que é igual em todas as partidas de uma edição."
        ),
        "lamps_paved": (
            "Quantos candeeiros mostram as peças do jogador, o que é igual em todas as partidas de uma edição."
        ),
        "lead_changes": (
            "Quantas vezes outro jogador passou a liderar sozinho, contando depois de cada jogada a partir "
            "do fim da calçada."
        ),
        "opening": (
            "As primeiras jogadas da calçada, até seis; tabuleiros que só diferem por uma rotação contam como um."
        ),
    },
    "refusals": {
        "match_over": "A partida já terminou.",
        "wrong_phase": "Esta jogada não é possível na fase de {phase}.",
        "not_your_turn": "É a vez de {turn}, não de {seat}.",
        "not_a_square": "{space} não é o espaço superior esquerdo de um quadrado.",
        "square_taken": "O quadrado {space} já tem calçada.",
        "tile_not_yours": "A peça {tile} pertence ao adversário.",
        "tile_placed": "A peça {tile} já foi colocada.",
        "not_in_supply": "{building} não está na provisão geral.",
        "pass_with_tiles": "Não se pode passar a vez com {count} por colocar.",
        "not_in_reserve": "{building} não está na provisão do jogador.",
        "no_chimney": "Não resta nenhuma chaminé, por isso já não se pode construir.",
        "shape_mismatch": "{piece} tem uma forma diferente de {spaces}.",
        "space_not_free": "Já há uma peça em {spaces}.",
        "wrong_colour": "A cor do adversário está em {spaces}.",
        "lamp_covered": "Há um candeeiro em {spaces} que não pode ser coberto.",
        "card_not_in_play": "O postal {card} não entra nesta partida.",
        "card_taken": "O postal {card} já está ocupado.",
        "no_token": "Não resta nenhuma ficha de ação para um postal.",
        "pass_with_token": "Não se pode passar a vez com {count} por usar.",
        "pass_with_building": "Ainda é possível colocar um edifício da provisão, por isso não se pode passar a vez.",
        "skipped": "{seat} não pode construir nem usar um postal e perde a vez, sem que se registe nada.",
        "not_own_colour": "{space} não é um espaço da cor do jogador.",
        "not_your_building": "O anexo tem de juntar-se a um edifício do próprio jogador no tabuleiro.",
        "annex_unclear": "O anexo em {space} pode juntar-se a vários edifícios, é preciso escolher um.",
        "not_adjacent": "O anexo em {space} não toca no edifício a que se juntaria.",
        "front_not_free": "À frente da estátua em {space} não há um espaço livre.",
        "not_a_lamp": "O candeeiro grande tem de substituir um candeeiro impresso, e em {space} não há nenhum.",
    },
}
