// French: see en.js.

/** @type {Record<string, import("./index.js").Text>} */
export const texts = {
  // Words of the games: colours, pieces by letter, ends by their name in records.
  "colour.red": "Rouge",
  "colour.black": "Noir",
  "colour.blue": "Bleu",
  "piece.banqi.K": "général",
  "piece.banqi.G": "conseiller",
  "piece.banqi.M": "éléphant",
  "piece.banqi.R": "char",
  "piece.banqi.N": "cheval",
  "piece.banqi.C": "canon",
  "piece.banqi.P": "soldat",
  "piece.junqi.M": "maréchal",
  "piece.junqi.G": "général",
  "piece.junqi.D": "commandant de division",
  "piece.junqi.B": "commandant de brigade",
  "piece.junqi.R": "commandant de régiment",
  "piece.junqi.T": "commandant de bataillon",
  "piece.junqi.C": "commandant de compagnie",
  "piece.junqi.P": "commandant de section",
  "piece.junqi.E": "sapeur",
  "piece.junqi.O": "bombe",
  "piece.junqi.L": "mine",
  "piece.junqi.F": "drapeau",
  "piece.banqi.r.K": "général rouge",
  "piece.banqi.r.G": "conseiller rouge",
  "piece.banqi.r.M": "éléphant rouge",
  "piece.banqi.r.R": "char rouge",
  "piece.banqi.r.N": "cheval rouge",
  "piece.banqi.r.C": "canon rouge",
  "piece.banqi.r.P": "soldat rouge",
  "piece.banqi.b.K": "général noir",
  "piece.banqi.b.G": "conseiller noir",
  "piece.banqi.b.M": "éléphant noir",
  "piece.banqi.b.R": "char noir",
  "piece.banqi.b.N": "cheval noir",
  "piece.banqi.b.C": "canon noir",
  "piece.banqi.b.P": "soldat noir",
  "piece.junqi.r.M": "maréchal rouge",
  "piece.junqi.r.G": "général rouge",
  "piece.junqi.r.D": "commandant rouge de division",
  "piece.junqi.r.B": "commandant rouge de brigade",
  "piece.junqi.r.R": "commandant rouge de régiment",
  "piece.junqi.r.T": "commandant rouge de bataillon",
  "piece.junqi.r.C": "commandant rouge de compagnie",
  "piece.junqi.r.P": "commandant rouge de section",
  "piece.junqi.r.E": "sapeur rouge",
  "piece.junqi.r.O": "bombe rouge",
  "piece.junqi.r.L": "mine rouge",
  "piece.junqi.r.F": "drapeau rouge",
  "piece.junqi.b.M": "maréchal bleu",
  "piece.junqi.b.G": "général bleu",
  "piece.junqi.b.D": "commandant bleu de division",
  "piece.junqi.b.B": "commandant bleu de brigade",
  "piece.junqi.b.R": "commandant bleu de régiment",
  "piece.junqi.b.T": "commandant bleu de bataillon",
  "piece.junqi.b.C": "commandant bleu de compagnie",
  "piece.junqi.b.P": "commandant bleu de section",
  "piece.junqi.b.E": "sapeur bleu",
  "piece.junqi.b.O": "bombe bleue",
  "piece.junqi.b.L": "mine bleue",
  "piece.junqi.b.F": "drapeau bleu",
  "end.win.all_captured": "{winner} gagne : {loser} n'a plus de pièces.",
  "end.win.no_moves": "{winner} gagne : {loser} ne peut plus jouer.",
  "end.win.perpetual_attack": "{winner} gagne : {loser} a attaqué sans cesse la même pièce.",
  "end.win.flag": "{winner} gagne : le drapeau est pris.",
  "end.win.resign": "{winner} gagne : abandon de {loser}.",
  "end.win.time": "{winner} gagne : {loser} n'a plus de temps.",
  "end.draw.repetition": "Nulle : la position s'est répétée.",
  "end.draw.quiet_limit": {
    one: "Nulle : {count} coup sans retournement ni prise.",
    other: "Nulle : {count} coups sans retournement ni prise.",
  },
  "end.draw.agreement": "Nulle par accord mutuel.",

  // board: the squares, the marks, the panels beside it

  // play: choosing a game, playing it, messages, settings

  // review: after the end, analysis, luck and skill, verification of the deal

  // tutorial: the lessons, what is asked, what a try comes to
  "tutorial.progress": "Étape {number} sur {total}",
  "tutorial.back": "Retour",
  "tutorial.again": "Recommencer",
  "tutorial.next": "Suivant",
  "tutorial.leave": "Jouer",
  "tutorial.flip.title": "Retourner une pièce",
  "tutorial.first_flip.text":
    "Toutes les pièces sont mélangées, face cachée : personne ne sait où est laquelle. À son tour, on retourne une " +
    "pièce ou on déplace une des siennes. Retournez n'importe quelle pièce.",
  "tutorial.first_flip.done":
    "C'est : {piece}. Qui retourne la première pièce joue sa couleur : vous avez {colour}, l'adversaire l'autre " +
    "couleur.",
  "tutorial.step.title": "Faire un pas",
  "tutorial.first_step.text":
    "Vous jouez les rouges. Toutes les pièces marchent de la même façon : d'une case vers le haut, le bas, la " +
    "gauche ou la droite, sur une case vide. Déplacez votre cheval.",
  "tutorial.first_step.done": "C'était un pas. C'est ensuite à l'adversaire.",
  "tutorial.ladder.title": "Qui prend qui",
  "tutorial.lower.text":
    "L'échelle : général, conseiller, éléphant, char, cheval, soldat. Une pièce prend son propre rang et tous les " +
    "rangs inférieurs, sur une case voisine. Prenez quelque chose avec votre char.",
  "tutorial.lower.done": "Pris : le cheval est sous le char, et les égaux se prennent aussi.",
  "tutorial.soldier.text": "L'échelle est un anneau : le soldat, le plus faible, prend le général. Prenez-le.",
  "tutorial.soldier.done": "Pris. Ainsi chaque armée a de quoi craindre.",
  "tutorial.general.text":
    "Le général prend tout ce qui est sous lui, sauf les soldats. Le canon est hors de l'échelle : tous le " +
    "prennent, sauf soldats et canons. Prenez quelque chose avec votre général.",
  "tutorial.general.done": "Pris. Gardez votre général loin de leurs soldats.",
  "tutorial.cannon.title": "Le canon saute",
  "tutorial.jump.text":
    "Le canon prend en sautant, sur une ligne ou une colonne, par-dessus exactement une pièce, de n'importe quel " +
    "camp, visible ou cachée. Il prend ainsi tout, et rien à côté de lui. Prenez le conseiller avec votre canon.",
  "tutorial.jump.done": "Pris. Sans rien à sauter, le canon ne fait que marcher, comme les autres.",
  "tutorial.end.title": "Comment on gagne",
  "tutorial.last_piece.text": "Qui n'a plus de pièces a perdu. Prenez la dernière pièce noire.",
  "tutorial.last_piece.done": "Vous gagnez.",
  "tutorial.stuck.text": "Qui ne peut rien faire à son tour a perdu aussi. Enfermez le soldat avec votre conseiller.",
  "tutorial.stuck.done":
    "Vous gagnez : le soldat ne peut ni avancer ni prendre. La partie est nulle quand une position revient pour la " +
    "troisième fois, ou après beaucoup de coups sans retournement ni prise.",
  "tutorial.junqi.title": "Et le Junqi ?",
  "tutorial.flag.text":
    "Au Junqi, les échecs militaires, les pièces sont aussi face cachée. Sur les voies ferrées libres, les lignes " +
    "épaisses, elles vont tout droit aussi loin qu'elles veulent, et le sapeur (E) tourne aussi. Qui prend le " +
    "drapeau gagne. Prenez-le avec votre sapeur.",
  "tutorial.flag.done": "Vous gagnez. Vous en savez assez pour jouer.",
  "tutorial.wrong.no_step":
    "Cela retournerait une pièce, ce qui est aussi un coup. Mais déplacez maintenant votre cheval.",
  "tutorial.wrong.diagonal": "On ne passe pas par un coin : seulement vers le haut, le bas, la gauche ou la droite.",
  "tutorial.wrong.far": "Trop loin : une seule case.",
  "tutorial.wrong.no_capture": "Cela ne prend rien. Allez sur une pièce adverse.",
  "tutorial.wrong.higher": "Cette pièce est plus haut que la vôtre et ne peut pas être prise par elle.",
  "tutorial.wrong.face_down": "Une pièce face cachée ne se prend pas : il faut d'abord la retourner.",
  "tutorial.wrong.general_soldier": "Le général, justement, ne peut pas prendre un soldat.",
  "tutorial.wrong.no_jump": "Cela ne prend rien. Sautez par-dessus la pièce cachée.",
  "tutorial.wrong.beside": "Le canon ne prend rien sur une case voisine.",
  "tutorial.wrong.no_screen": "Il n'y a rien à sauter en chemin.",
  "tutorial.wrong.escapes": "Cela ne termine pas la partie. Essayez encore.",
  "tutorial.wrong.flag_left":
    "Le drapeau est toujours là. Suivez la voie ferrée : côté gauche, par le milieu, côté droit.",

  // rules: the rule sets, their switches, and the words that a switch takes
  "rules.taiwan.name": "Taïwan",
  "rules.taiwan.text":
    "Les règles les plus répandues. Une pièce prend son rang et tous les rangs inférieurs : général, conseiller, " +
    "éléphant, char, cheval, soldat. Mais le soldat prend le général, et le général ne prend jamais un soldat. Le " +
    "canon prend tout en sautant par-dessus exactement une pièce, et rien à côté de lui ; tous le prennent, sauf " +
    "soldats et canons.",
  "rules.hongkong.name": "Hong Kong",
  "rules.hongkong.text":
    "L'ordre est général, char, cheval, canon, conseiller, éléphant, soldat. Une pièce prend son rang et tous les " +
    "rangs inférieurs sur une case voisine, le canon aussi : il ne saute pas. Le soldat prend le général, et le " +
    "général ne prend pas les soldats.",
  "rules.mainland.name": "Chine continentale",
  "rules.mainland.text":
    "L'ordre est général, conseiller, éléphant, char, cheval, canon, soldat. Une pièce prend son rang et tous les " +
    "rangs inférieurs sur une case voisine, le canon aussi : il ne saute pas. Général et soldat se prennent l'un " +
    "l'autre : celui dont c'est le tour prend.",
  "rules.cannon-adjacent.name": "Taïwan, canons aussi à côté",
  "rules.cannon-adjacent.text":
    "Les règles de Taïwan ; en plus de ses sauts, le canon prend soldats et canons sur les cases voisines.",
  "rules.dark-capture.name": "Taïwan, prises à l'aveugle",
  "rules.dark-capture.text":
    "Les règles de Taïwan ; une pièce peut aussi en attaquer une face cachée. On la retourne : si votre pièce peut " +
    "la prendre, elle est prise ; sinon elle reste visible, la vôtre reste où elle était, et le tour est fini.",
  "rules.children.name": "Règles des enfants",
  "rules.children.text":
    "Prises à l'aveugle et en chaîne : après une prise, la même pièce peut continuer à prendre dans n'importe " +
    "quelle direction, ou s'arrêter.",
  "rules.cannon-chain.name": "Chaînes du canon",
  "rules.cannon-chain.text":
    "Les règles de Taïwan, mais le canon ne saute que les pièces visibles, et après une prise il peut continuer.",
  "rules.double.name": "Deux jeux sur 8 × 8",
  "rules.double.text":
    "Deux jeux, 64 pièces, face cachée sur 8 × 8 cases. Chaque camp a une double armée ; pour le reste, c'est le " +
    "Banqi.",
  "rules.junqi.name": "Junqi retourné",
  "rules.junqi.text":
    "Les échecs militaires, face cachée : 50 pièces. Retournez une pièce ou déplacez une des vôtres : d'un pas le " +
    "long d'une route, ou aussi loin que vous voulez tout droit sur les voies ferrées libres ; le sapeur y tourne " +
    "aussi. Le rang supérieur prend l'inférieur, les égaux disparaissent tous deux, la bombe emporte tout, seul le " +
    "sapeur enlève les mines, et rien ne peut être attaqué dans un camp. Qui prend le drapeau gagne ; qui ne peut " +
    "pas jouer a perdu.",
  "rules.ranking.name": "Hiérarchie",
  "rules.ranking.text": "Qui prend qui sur une case voisine.",
  "rules.ranking.taiwan": "Taïwan",
  "rules.ranking.hongkong": "Hong Kong",
  "rules.ranking.mainland": "Chine continentale",
  "rules.cannon.name": "Canon",
  "rules.cannon.text":
    "Comment le canon prend : en sautant par-dessus une pièce, ou sur une case voisine comme les autres.",
  "rules.cannon.jump": "saute",
  "rules.cannon.step": "marche",
  "rules.cannon_adjacent.name": "Canons aussi à côté",
  "rules.cannon_adjacent.text": "Un canon qui saute prend aussi soldats et canons sur les cases voisines.",
  "rules.dark_capture.name": "Prises à l'aveugle",
  "rules.dark_capture.text": "Une pièce peut en attaquer une face cachée ; ce qu'elle révèle décide.",
  "rules.chain.name": "Prises en chaîne",
  "rules.chain.text": "Après une prise, la même pièce peut prendre encore dans le même tour, ou s'arrêter.",
  "rules.chain.none": "aucune",
  "rules.chain.any": "toutes les pièces",
  "rules.chain.cannon": "canons seulement",
  "rules.screens.name": "Le canon saute",
  "rules.screens.text": "Si une pièce face cachée sert au canon à sauter, ou bloque sa ligne.",
  "rules.screens.any": "n'importe quelle pièce",
  "rules.screens.faceup": "pièces visibles seulement",
  "rules.repetition.name": "Répétition",
  "rules.repetition.text": "Combien de fois une position peut revenir avant la nulle.",
  "rules.repetition.cycle": "un cycle de coups trois fois de suite",
  "rules.repetition.none": "ne termine jamais la partie",
  "rules.quiet_limit.name": "Coups calmes jusqu'à la nulle",
  "rules.quiet_limit.text": "Autant de coups de suite, des deux camps ensemble, sans retournement ni prise font nulle.",
  "rules.perpetual.name": "Attaque perpétuelle",
  "rules.perpetual.text": "Ce que vaut une répétition si un seul camp a attaqué sans cesse la même pièce.",
  "rules.perpetual.draw": "nulle",
  "rules.perpetual.loses": "l'attaquant perd",
};

export default texts;
