// Russian: see en.js.

/** @type {Record<string, import("./index.js").Text>} */
export const texts = {
  // Words of the games: colours, pieces by letter, ends by their name in records.
  "colour.red": "Красные",
  "colour.black": "Чёрные",
  "colour.blue": "Синие",
  "piece.banqi.K": "генерал",
  "piece.banqi.G": "советник",
  "piece.banqi.M": "слон",
  "piece.banqi.R": "колесница",
  "piece.banqi.N": "конь",
  "piece.banqi.C": "пушка",
  "piece.banqi.P": "солдат",
  "piece.junqi.M": "маршал",
  "piece.junqi.G": "генерал",
  "piece.junqi.D": "командир дивизии",
  "piece.junqi.B": "командир бригады",
  "piece.junqi.R": "командир полка",
  "piece.junqi.T": "командир батальона",
  "piece.junqi.C": "командир роты",
  "piece.junqi.P": "командир взвода",
  "piece.junqi.E": "сапёр",
  "piece.junqi.O": "бомба",
  "piece.junqi.L": "мина",
  "piece.junqi.F": "знамя",
  "piece.banqi.r.K": "красный генерал",
  "piece.banqi.r.G": "красный советник",
  "piece.banqi.r.M": "красный слон",
  "piece.banqi.r.R": "красная колесница",
  "piece.banqi.r.N": "красный конь",
  "piece.banqi.r.C": "красная пушка",
  "piece.banqi.r.P": "красный солдат",
  "piece.banqi.b.K": "чёрный генерал",
  "piece.banqi.b.G": "чёрный советник",
  "piece.banqi.b.M": "чёрный слон",
  "piece.banqi.b.R": "чёрная колесница",
  "piece.banqi.b.N": "чёрный конь",
  "piece.banqi.b.C": "чёрная пушка",
  "piece.banqi.b.P": "чёрный солдат",
  "piece.junqi.r.M": "красный маршал",
  "piece.junqi.r.G": "красный генерал",
  "piece.junqi.r.D": "красный командир дивизии",
  "piece.junqi.r.B": "красный командир бригады",
  "piece.junqi.r.R": "красный командир полка",
  "piece.junqi.r.T": "красный командир батальона",
  "piece.junqi.r.C": "красный командир роты",
  "piece.junqi.r.P": "красный командир взвода",
  "piece.junqi.r.E": "красный сапёр",
  "piece.junqi.r.O": "красная бомба",
  "piece.junqi.r.L": "красная мина",
  "piece.junqi.r.F": "красное знамя",
  "piece.junqi.b.M": "синий маршал",
  "piece.junqi.b.G": "синий генерал",
  "piece.junqi.b.D": "синий командир дивизии",
  "piece.junqi.b.B": "синий командир бригады",
  "piece.junqi.b.R": "синий командир полка",
  "piece.junqi.b.T": "синий командир батальона",
  "piece.junqi.b.C": "синий командир роты",
  "piece.junqi.b.P": "синий командир взвода",
  "piece.junqi.b.E": "синий сапёр",
  "piece.junqi.b.O": "синяя бомба",
  "piece.junqi.b.L": "синяя мина",
  "piece.junqi.b.F": "синее знамя",
  "end.win.all_captured": "Победа: {winner}. Не осталось фигур: {loser}.",
  "end.win.no_moves": "Победа: {winner}. Нет ходов: {loser}.",
  "end.win.perpetual_attack": "Победа: {winner}. Вечное нападение на одну и ту же фигуру: {loser}.",
  "end.win.flag": "Победа: {winner}. Знамя захвачено.",
  "end.win.resign": "Победа: {winner}. Сдача партии: {loser}.",
  "end.win.time": "Победа: {winner}. Вышло время: {loser}.",
  "end.draw.repetition": "Ничья: позиция повторилась.",
  "end.draw.quiet_limit": {
    one: "Ничья: {count} тихий ход.",
    few: "Ничья: {count} тихих хода.",
    many: "Ничья: {count} тихих ходов.",
    other: "Ничья: {count} тихих хода.",
  },
  "end.draw.agreement": "Ничья по согласию.",

  // board: the squares, the marks, the panels beside it

  // play: choosing a game, playing it, messages, settings

  // review: after the end, analysis, luck and skill, verification of the deal

  // tutorial: the lessons, what is asked, what a try comes to
  "tutorial.progress": "Шаг {number} из {total}",
  "tutorial.back": "Назад",
  "tutorial.again": "Ещё раз",
  "tutorial.next": "Дальше",
  "tutorial.leave": "Играть",
  "tutorial.flip.title": "Открыть фигуру",
  "tutorial.first_flip.text":
    "Все фигуры перемешаны и лежат лицом вниз: никто не знает, где какая. За ход можно открыть фигуру или пойти " +
    "своей. Откройте любую.",
  "tutorial.first_flip.done":
    "Это {piece}. Кто открыл первую фигуру, играет её цветом. Ваш цвет: {colour}, у противника другой.",
  "tutorial.step.title": "Сделать шаг",
  "tutorial.first_step.text":
    "Вы играете красными. Все фигуры ходят одинаково: на одну клетку вверх, вниз, влево или вправо, на пустую " +
    "клетку. Пойдите конём.",
  "tutorial.first_step.done": "Это был шаг. Дальше ходит противник.",
  "tutorial.ladder.title": "Кто кого берёт",
  "tutorial.lower.text":
    "Старшинство: генерал, советник, слон, колесница, конь, солдат. Фигура берёт равную себе и любую младшую на " +
    "соседней клетке. Возьмите что-нибудь колесницей.",
  "tutorial.lower.done": "Взято: конь младше колесницы, а равные тоже берут друг друга.",
  "tutorial.soldier.text": "Круг замкнут: солдат, самый младший, берёт генерала. Возьмите его.",
  "tutorial.soldier.done": "Взято. Так что каждому войску есть чего бояться.",
  "tutorial.general.text":
    "Генерал берёт всех младших, кроме солдат. Пушка стоит вне старшинства: её берут все, кроме солдат и пушек. " +
    "Возьмите что-нибудь генералом.",
  "tutorial.general.done": "Взято. Держите генерала подальше от солдат противника.",
  "tutorial.cannon.title": "Пушка прыгает",
  "tutorial.jump.text":
    "Пушка берёт, прыгая по горизонтали или вертикали ровно через одну фигуру — свою или чужую, открытую или " +
    "закрытую. Так она берёт что угодно, а рядом с собой — ничего. Возьмите советника пушкой.",
  "tutorial.jump.done": "Взято. Если прыгать не через что, пушка просто ходит, как все.",
  "tutorial.end.title": "Чем всё кончается",
  "tutorial.last_piece.text": "Кто остался без фигур, проиграл. Возьмите последнюю чёрную.",
  "tutorial.last_piece.done": "Вы победили.",
  "tutorial.stuck.text": "Проиграл и тот, кому нечем ходить. Заприте солдата советником.",
  "tutorial.stuck.done":
    "Вы победили: солдат не может ни пойти, ни взять. Ничья — если позиция возникла в третий раз или если долго " +
    "никто не открывал и не брал фигур.",
  "tutorial.junqi.title": "А цзюньци?",
  "tutorial.flag.text":
    "В цзюньци, военных шахматах, фигуры тоже лежат лицом вниз. По свободной железной дороге (толстые линии) они " +
    "идут прямо на любое расстояние, а сапёр (E) может и поворачивать. Кто захватит знамя, победил. Захватите его " +
    "сапёром.",
  "tutorial.flag.done": "Вы победили. Теперь вы знаете достаточно, чтобы играть.",
  "tutorial.wrong.no_step": "Так вы открыли бы фигуру — это тоже ход. Но сейчас пойдите конём.",
  "tutorial.wrong.diagonal": "По диагонали не ходит никто: только вверх, вниз, влево или вправо.",
  "tutorial.wrong.far": "Слишком далеко: только на одну клетку.",
  "tutorial.wrong.no_capture": "Так вы ничего не берёте. Пойдите на фигуру противника.",
  "tutorial.wrong.higher": "Эта фигура старше вашей, взять её нельзя.",
  "tutorial.wrong.face_down": "Закрытую фигуру взять нельзя: сначала откройте её.",
  "tutorial.wrong.general_soldier": "Именно генерал солдата взять не может.",
  "tutorial.wrong.no_jump": "Так вы ничего не берёте. Прыгните через закрытую фигуру.",
  "tutorial.wrong.beside": "На соседней клетке пушка ничего не берёт.",
  "tutorial.wrong.no_screen": "По пути не через что прыгнуть.",
  "tutorial.wrong.escapes": "Так игра не кончится. Попробуйте ещё раз.",
  "tutorial.wrong.flag_left": "Знамя всё ещё на месте. По железной дороге: левый край, середина, правый край.",

  // rules: the rule sets, their switches, and the words that a switch takes
  "rules.taiwan.name": "Тайвань",
  "rules.taiwan.text":
    "Самые распространённые правила. Фигура берёт равную себе и любую младшую: генерал, советник, слон, колесница, " +
    "конь, солдат. Но солдат берёт генерала, а генерал солдата — никогда. Пушка берёт что угодно, прыгая ровно " +
    "через одну фигуру, а рядом с собой — ничего; её берут все, кроме солдат и пушек.",
  "rules.hongkong.name": "Гонконг",
  "rules.hongkong.text":
    "Порядок: генерал, колесница, конь, пушка, советник, слон, солдат. Фигура берёт равную себе и любую младшую на " +
    "соседней клетке, пушка тоже: она не прыгает. Солдат берёт генерала, а генерал солдата не берёт.",
  "rules.mainland.name": "Материковый Китай",
  "rules.mainland.text":
    "Порядок: генерал, советник, слон, колесница, конь, пушка, солдат. Фигура берёт равную себе и любую младшую на " +
    "соседней клетке, пушка тоже: она не прыгает. Генерал и солдат берут друг друга: берёт тот, чей ход.",
  "rules.cannon-adjacent.name": "Тайвань, пушки берут рядом",
  "rules.cannon-adjacent.text": "Правила Тайваня; кроме прыжков, пушка берёт солдат и пушки на соседних клетках.",
  "rules.dark-capture.name": "Тайвань, взятие вслепую",
  "rules.dark-capture.text":
    "Правила Тайваня; можно нападать и на закрытую фигуру. Она открывается: если ваша фигура может её взять, она " +
    "взята; если нет, обе остаются на местах, и ход окончен.",
  "rules.children.name": "Детские правила",
  "rules.children.text":
    "Взятие вслепую и цепочками: после взятия та же фигура может брать дальше в любую сторону или остановиться.",
  "rules.cannon-chain.name": "Цепочки пушки",
  "rules.cannon-chain.text":
    "Правила Тайваня, но пушка прыгает только через открытые фигуры и после взятия может брать дальше.",
  "rules.double.name": "Два набора на 8 × 8",
  "rules.double.text":
    "Два набора, 64 фигуры, лицом вниз на 8 × 8 клетках. У каждой стороны двойное войско; остальное как в банци.",
  "rules.junqi.name": "Цзюньци вслепую",
  "rules.junqi.text":
    "Военные шахматы вслепую: 50 фигур лицом вниз. Откройте фигуру или пойдите своей: на шаг по дороге или прямо " +
    "на любое расстояние по свободной железной дороге; сапёр там и поворачивает. Старший берёт младшего, равные " +
    "гибнут оба, бомба уничтожает всё вместе с собой, мины снимает только сапёр, а в лагере нападать нельзя. Кто " +
    "захватит знамя, победил; кому нечем ходить, проиграл.",
  "rules.ranking.name": "Старшинство",
  "rules.ranking.text": "Кто кого берёт на соседней клетке.",
  "rules.ranking.taiwan": "Тайвань",
  "rules.ranking.hongkong": "Гонконг",
  "rules.ranking.mainland": "Материковый Китай",
  "rules.cannon.name": "Пушка",
  "rules.cannon.text": "Как берёт пушка: прыгая через фигуру или на соседней клетке, как все.",
  "rules.cannon.jump": "прыгает",
  "rules.cannon.step": "шагает",
  "rules.cannon_adjacent.name": "Пушки берут рядом",
  "rules.cannon_adjacent.text": "Прыгающая пушка берёт и солдат и пушки на соседних клетках.",
  "rules.dark_capture.name": "Взятие вслепую",
  "rules.dark_capture.text": "Фигура может напасть на закрытую; решает то, что откроется.",
  "rules.chain.name": "Цепочки взятий",
  "rules.chain.text": "После взятия та же фигура может брать дальше за тот же ход или остановиться.",
  "rules.chain.none": "нет",
  "rules.chain.any": "все фигуры",
  "rules.chain.cannon": "только пушки",
  "rules.screens.name": "Пушка прыгает через",
  "rules.screens.text": "Служит ли закрытая фигура пушке для прыжка или перекрывает линию.",
  "rules.screens.any": "любую фигуру",
  "rules.screens.faceup": "только открытую фигуру",
  "rules.repetition.name": "Повторение",
  "rules.repetition.text": "Сколько раз может возникнуть позиция до ничьей.",
  "rules.repetition.cycle": "один цикл ходов три раза подряд",
  "rules.repetition.none": "игру не кончает",
  "rules.quiet_limit.name": "Тихих ходов до ничьей",
  "rules.quiet_limit.text": "Столько ходов подряд, обеих сторон вместе, без открытий и взятий — ничья.",
  "rules.perpetual.name": "Вечное нападение",
  "rules.perpetual.text": "Чем считается повторение, если одна сторона без конца нападала на одну и ту же фигуру.",
  "rules.perpetual.draw": "ничья",
  "rules.perpetual.loses": "нападающий проигрывает",
};

export default texts;
