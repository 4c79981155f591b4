// Italian: see en.js.

/** @type {Record<string, import("./index.js").Text>} */
export const texts = {
  // Words of the games: colours, pieces by letter, ends by their name in records.
  "colour.red": "Rosso",
  "colour.black": "Nero",
  "colour.blue": "Blu",
  "piece.banqi.K": "generale",
  "piece.banqi.G": "consigliere",
  "piece.banqi.M": "elefante",
  "piece.banqi.R": "carro",
  "piece.banqi.N": "cavallo",
  "piece.banqi.C": "cannone",
  "piece.banqi.P": "soldato",
  "piece.junqi.M": "maresciallo",
  "piece.junqi.G": "generale",
  "piece.junqi.D": "comandante di divisione",
  "piece.junqi.B": "comandante di brigata",
  "piece.junqi.R": "comandante di reggimento",
  "piece.junqi.T": "comandante di battaglione",
  "piece.junqi.C": "comandante di compagnia",
  "piece.junqi.P": "comandante di plotone",
  "piece.junqi.E": "geniere",
  "piece.junqi.O": "bomba",
  "piece.junqi.L": "mina",
  "piece.junqi.F": "bandiera",
  "piece.banqi.r.K": "generale rosso",
  "piece.banqi.r.G": "consigliere rosso",
  "piece.banqi.r.M": "elefante rosso",
  "piece.banqi.r.R": "carro rosso",
  "piece.banqi.r.N": "cavallo rosso",
  "piece.banqi.r.C": "cannone rosso",
  "piece.banqi.r.P": "soldato rosso",
  "piece.banqi.b.K": "generale nero",
  "piece.banqi.b.G": "consigliere nero",
  "piece.banqi.b.M": "elefante nero",
  "piece.banqi.b.R": "carro nero",
  "piece.banqi.b.N": "cavallo nero",
  "piece.banqi.b.C": "cannone nero",
  "piece.banqi.b.P": "soldato nero",
  "piece.junqi.r.M": "maresciallo rosso",
  "piece.junqi.r.G": "generale rosso",
  "piece.junqi.r.D": "comandante rosso di divisione",
  "piece.junqi.r.B": "comandante rosso di brigata",
  "piece.junqi.r.R": "comandante rosso di reggimento",
  "piece.junqi.r.T": "comandante rosso di battaglione",
  "piece.junqi.r.C": "comandante rosso di compagnia",
  "piece.junqi.r.P": "comandante rosso di plotone",
  "piece.junqi.r.E": "geniere rosso",
  "piece.junqi.r.O": "bomba rossa",
  "piece.junqi.r.L": "mina rossa",
  "piece.junqi.r.F": "bandiera rossa",
  "piece.junqi.b.M": "maresciallo blu",
  "piece.junqi.b.G": "generale blu",
  "piece.junqi.b.D": "comandante blu di divisione",
  "piece.junqi.b.B": "comandante blu di brigata",
  "piece.junqi.b.R": "comandante blu di reggimento",
  "piece.junqi.b.T": "comandante blu di battaglione",
  "piece.junqi.b.C": "comandante blu di compagnia",
  "piece.junqi.b.P": "comandante blu di plotone",
  "piece.junqi.b.E": "geniere blu",
  "piece.junqi.b.O": "bomba blu",
  "piece.junqi.b.L": "mina blu",
  "piece.junqi.b.F": "bandiera blu",
  "end.win.all_captured": "Vince {winner}: {loser} non ha più pezzi.",
  "end.win.no_moves": "Vince {winner}: {loser} non può muovere.",
  "end.win.perpetual_attack": "Vince {winner}: {loser} ha attaccato sempre lo stesso pezzo.",
  "end.win.flag": "Vince {winner}: la bandiera è presa.",
  "end.win.resign": "Vince {winner}: {loser} si è arreso.",
  "end.win.time": "Vince {winner}: tempo scaduto per {loser}.",
  "end.draw.repetition": "Patta: la posizione si è ripetuta.",
  "end.draw.quiet_limit": {
    one: "Patta: {count} turno senza scoperte né catture.",
    other: "Patta: {count} turni senza scoperte né catture.",
  },
  "end.draw.agreement": "Patta d'accordo.",

  // board: the squares, the marks, the panels beside it

  // play: choosing a game, playing it, messages, settings

  // review: after the end, analysis, luck and skill, verification of the deal

  // tutorial: the lessons, what is asked, what a try comes to
  "tutorial.progress": "Passo {number} di {total}",
  "tutorial.back": "Indietro",
  "tutorial.again": "Di nuovo",
  "tutorial.next": "Avanti",
  "tutorial.leave": "Gioca",
  "tutorial.flip.title": "Scopri un pezzo",
  "tutorial.first_flip.text":
    "Tutti i pezzi sono coperti e mescolati: nessuno sa quale sia dove. In un turno si scopre un pezzo o se ne " +
    "muove uno proprio. Scopri un pezzo qualsiasi.",
  "tutorial.first_flip.done":
    "È un {piece}. Chi scopre il primo pezzo gioca con il suo colore: tu hai {colour}, l'avversario l'altro colore.",
  "tutorial.step.title": "Fai un passo",
  "tutorial.first_step.text":
    "Giochi con il rosso. Tutti i pezzi camminano allo stesso modo: una casella in su, in giù, a sinistra o a " +
    "destra, su una casella vuota. Muovi il cavallo.",
  "tutorial.first_step.done": "Questo era un passo. Ora toccherebbe all'avversario.",
  "tutorial.ladder.title": "Chi prende chi",
  "tutorial.lower.text":
    "La scala è: generale, consigliere, elefante, carro, cavallo, soldato. Un pezzo prende il proprio grado e " +
    "tutti quelli inferiori su una casella vicina. Prendi qualcosa con il carro.",
  "tutorial.lower.done": "Preso: il cavallo sta sotto il carro, e anche gli uguali si prendono.",
  "tutorial.soldier.text": "La scala è un anello: il soldato, il più basso, prende il generale. Prendilo.",
  "tutorial.soldier.done": "Preso. Così ogni esercito ha qualcosa da temere.",
  "tutorial.general.text":
    "Il generale prende tutto ciò che gli sta sotto, tranne i soldati. Il cannone è fuori dalla scala e viene " +
    "preso da tutti, tranne soldati e cannoni. Prendi qualcosa con il generale.",
  "tutorial.general.done": "Preso. Tieni il generale lontano dai loro soldati.",
  "tutorial.cannon.title": "Il cannone salta",
  "tutorial.jump.text":
    "Il cannone prende saltando lungo una riga o colonna esattamente un pezzo, di chiunque sia, scoperto o " +
    "coperto. Così prende qualsiasi cosa, e nulla che gli stia accanto. Prendi il consigliere con il cannone.",
  "tutorial.jump.done": "Preso. Senza nulla da saltare il cannone fa solo passi, come tutti.",
  "tutorial.end.title": "Come finisce",
  "tutorial.last_piece.text": "Chi non ha più pezzi ha perso. Prendi l'ultimo pezzo nero.",
  "tutorial.last_piece.done": "Hai vinto.",
  "tutorial.stuck.text": "Ha perso anche chi nel suo turno non può fare nulla. Chiudi il soldato con il consigliere.",
  "tutorial.stuck.done":
    "Hai vinto: il soldato non può né muoversi né prendere. È patta quando una posizione si presenta per la terza " +
    "volta, o dopo molti turni senza scoperte né catture.",
  "tutorial.junqi.title": "E lo Junqi?",
  "tutorial.flag.text":
    "Anche nello Junqi, gli scacchi militari, i pezzi sono coperti. Sulle ferrovie libere, le linee spesse, vanno " +
    "diritti quanto vogliono, e il geniere (E) può anche svoltare. Chi prende la bandiera vince. Prendila con il " +
    "geniere.",
  "tutorial.flag.done": "Hai vinto. Ora sai abbastanza per giocare.",
  "tutorial.wrong.no_step": "Così scopriresti un pezzo: anche questo è un turno. Ma ora muovi il cavallo.",
  "tutorial.wrong.diagonal": "Nessuno passa per l'angolo: solo su, giù, a sinistra o a destra.",
  "tutorial.wrong.far": "Troppo lontano: una casella sola.",
  "tutorial.wrong.no_capture": "Così non prendi nulla. Muovi su un pezzo avversario.",
  "tutorial.wrong.higher": "Quel pezzo sta più in alto del tuo: il tuo non può prenderlo.",
  "tutorial.wrong.face_down": "Un pezzo coperto non si può prendere: prima va scoperto.",
  "tutorial.wrong.general_soldier": "Proprio il generale non può prendere un soldato.",
  "tutorial.wrong.no_jump": "Così non prendi nulla. Salta il pezzo coperto.",
  "tutorial.wrong.beside": "Il cannone non prende nulla su una casella vicina.",
  "tutorial.wrong.no_screen": "In mezzo non c'è nulla da saltare.",
  "tutorial.wrong.escapes": "Così la partita non finisce. Riprova.",
  "tutorial.wrong.flag_left":
    "La bandiera è ancora lì. Segui la ferrovia: lato sinistro, attraverso il centro, lato destro.",

  // rules: the rule sets, their switches, and the words that a switch takes
  "rules.taiwan.name": "Taiwan",
  "rules.taiwan.text":
    "Le regole più diffuse. Un pezzo prende il proprio grado e tutti quelli inferiori: generale, consigliere, " +
    "elefante, carro, cavallo, soldato. Ma il soldato prende il generale, e il generale non prende mai un soldato. " +
    "Il cannone prende qualsiasi cosa saltando esattamente un pezzo, e nulla accanto a sé; lo prendono tutti, " +
    "tranne soldati e cannoni.",
  "rules.hongkong.name": "Hong Kong",
  "rules.hongkong.text":
    "L'ordine è generale, carro, cavallo, cannone, consigliere, elefante, soldato. Un pezzo prende il proprio " +
    "grado e tutti quelli inferiori su una casella vicina, anche il cannone: non salta. Il soldato prende il " +
    "generale, e il generale non prende i soldati.",
  "rules.mainland.name": "Cina continentale",
  "rules.mainland.text":
    "L'ordine è generale, consigliere, elefante, carro, cavallo, cannone, soldato. Un pezzo prende il proprio " +
    "grado e tutti quelli inferiori su una casella vicina, anche il cannone: non salta. Generale e soldato si " +
    "prendono a vicenda: prende chi è di turno.",
  "rules.cannon-adjacent.name": "Taiwan, cannoni anche accanto",
  "rules.cannon-adjacent.text":
    "Le regole di Taiwan; oltre ai salti, il cannone prende soldati e cannoni sulle caselle vicine.",
  "rules.dark-capture.name": "Taiwan, catture al buio",
  "rules.dark-capture.text":
    "Le regole di Taiwan; un pezzo può anche attaccarne uno coperto. Lo si scopre: se il tuo pezzo può prenderlo, " +
    "è preso; se no, resta scoperto, il tuo resta dov'era e il turno finisce.",
  "rules.children.name": "Regole dei bambini",
  "rules.children.text":
    "Catture al buio e a catena: dopo una cattura lo stesso pezzo può continuare a catturare in qualsiasi " +
    "direzione, o fermarsi.",
  "rules.cannon-chain.name": "Catene del cannone",
  "rules.cannon-chain.text":
    "Le regole di Taiwan, ma il cannone salta solo pezzi scoperti, e dopo una cattura può continuare.",
  "rules.double.name": "Due set su 8 × 8",
  "rules.double.text":
    "Due set, 64 pezzi, coperti su 8 × 8 caselle. Ogni parte ha un esercito doppio; il resto è come nel Banqi.",
  "rules.junqi.name": "Junqi coperto",
  "rules.junqi.text":
    "Scacchi militari, coperti: 50 pezzi. Scopri un pezzo o muovine uno tuo: un passo lungo una strada, o quanto " +
    "vuoi in linea retta sulle ferrovie libere; il geniere vi svolta anche. Il grado più alto prende il più basso, " +
    "gli uguali spariscono entrambi, la bomba porta tutto con sé, solo il geniere toglie le mine, e in un campo " +
    "nulla può essere attaccato. Chi prende la bandiera vince; chi non può muovere ha perso.",
  "rules.ranking.name": "Gerarchia",
  "rules.ranking.text": "Chi prende chi su una casella vicina.",
  "rules.ranking.taiwan": "Taiwan",
  "rules.ranking.hongkong": "Hong Kong",
  "rules.ranking.mainland": "Cina continentale",
  "rules.cannon.name": "Cannone",
  "rules.cannon.text": "Come cattura il cannone: saltando un pezzo, o su una casella vicina come tutti.",
  "rules.cannon.jump": "salta",
  "rules.cannon.step": "cammina",
  "rules.cannon_adjacent.name": "Cannoni anche accanto",
  "rules.cannon_adjacent.text": "Un cannone che salta prende anche soldati e cannoni sulle caselle vicine.",
  "rules.dark_capture.name": "Catture al buio",
  "rules.dark_capture.text": "Un pezzo può attaccarne uno coperto; decide quel che si scopre.",
  "rules.chain.name": "Catture a catena",
  "rules.chain.text": "Dopo una cattura lo stesso pezzo può catturare ancora nello stesso turno, o fermarsi.",
  "rules.chain.none": "nessuna",
  "rules.chain.any": "tutti i pezzi",
  "rules.chain.cannon": "solo i cannoni",
  "rules.screens.name": "Il cannone salta",
  "rules.screens.text": "Se un pezzo coperto serve al cannone da salto, o ne blocca la linea.",
  "rules.screens.any": "qualsiasi pezzo",
  "rules.screens.faceup": "solo pezzi scoperti",
  "rules.repetition.name": "Ripetizione",
  "rules.repetition.text": "Quante volte può presentarsi una posizione prima che sia patta.",
  "rules.repetition.cycle": "un ciclo di mosse per tre volte di fila",
  "rules.repetition.none": "non finisce mai la partita",
  "rules.quiet_limit.name": "Turni quieti fino alla patta",
  "rules.quiet_limit.text": "Tanti turni di fila, delle due parti insieme, senza scoperte né catture sono patta.",
  "rules.perpetual.name": "Attacco perpetuo",
  "rules.perpetual.text": "Che cosa vale una ripetizione se una sola parte ha attaccato sempre lo stesso pezzo.",
  "rules.perpetual.draw": "patta",
  "rules.perpetual.loses": "chi attacca perde",
};

export default texts;
