#!/usr/bin/env python3
"""Writes n-nn.run.jsonl, accepted.run.jsonl and n-nn.expected.json beside itself.

The content stands first: the items with the reason a good solver gives for its answer, then what went
wrong in the recorded session, then what a correct engine must decide, worked out by hand. The mechanics
at the end only turn content into lines; they judge nothing. Ordinals count from 0, as everywhere.
"""

import datetime
import json
import pathlib

SOLVERS = ["strict", "methodist"]
POLICY = {
    "solvers": SOLVERS, "arbiter_orders": "both", "max_rounds": 2, "gap_max": 6, "sheet_max": 40,
    "authority": {"short_answers": True, "dictionary": False}, "near_duplicate": 0.9, "after_last_round": "reject",
}
MODELS = {"strict": "solver-a-2025-02", "methodist": "solver-b-2025-02", "arbiter": "arbiter-c-2025-02"}
BASKETS = {"baskets": ["Одна Н", "Две НН"], "fillings": {"Одна Н": "н", "Две НН": "нн"}}


def quiz(q, options, key):
    return {"q": q, "options": options, "key": key}


def word(w, key):
    return {"w": w, "key": key}


def statement(s, key):
    return {"s": s, "key": key}


def pair(left, right):
    return {"left": left, "right": right}


def cards(a, b):
    return {"a": a, "b": b}


def gap(q, key, *accept):
    return {"q": q, "key": key, "accept": list(accept)} if accept else {"q": q, "key": key}


def order(q, *steps):
    return {"q": q, "steps": list(steps)}


def odd(q, words, key):
    return {"q": q, "words": words, "key": key} if q else {"words": words, "key": key}


def ballot(answer=None, ok=True, why=""):
    return {"answer": answer, "ok": ok, "why": why}


def both(choice, why_ab, why_ba=None):
    return {"ab": (choice, why_ab), "ba": (choice, why_ba or why_ab)}


BIG = {
    "file": "n-nn.run.jsonl", "id": "n-nn", "flagman": "0.0.9", "started_at": "2025-03-14T08:20:00Z",
    "games": {
        "quiz": ({}, [
            # The first two ask the same words about other options.
            (quiz("В каком слове пишется НН?", ["кожа…ый", "песча…ый", "оловя…ый", "лебеди…ый"], 2),
             "Оловянный — исключение среди слов с суффиксом -ян-."),
            (quiz("В каком слове пишется НН?", ["деревя…ый", "льня…ой", "глиня…ый", "орли…ый"], 0),
             "Деревянный — исключение, в остальных суффиксы -ян- и -ин-."),
            (quiz("Как пишется первое слово сочетания «ране…ый в плечо боец»?", ["раненый", "раненный"], 1),
             "Это причастие: есть зависимые слова «в плечо»."),
            (quiz("В каком сочетании пишется одна Н?",
                  ["жаре…ый на масле картофель", "жаре…ый картофель", "поджаре…ый картофель", "пережаре…ый картофель"], 1),
             "Нет ни приставки, ни зависимых слов: отглагольное прилагательное."),
            (quiz("Как пишется прилагательное в сочетании «нежда…ый гость»?", ["нежданый", "нежданный"], 1),
             "Слово-исключение с двумя н."),
            (quiz("В каком наречии пишется одна Н?", ["стра…о", "медле…о", "взволнова…о", "пута…о"], 3),
             "Путано — от отглагольного прилагательного «путаный»."),
            (quiz("Какое предложение написано без ошибки?",
                  ["Письмо написанно от руки.", "Задача решенна в классе.", "Дорога расчищена утром.",
                   "Ворота окрашенны в зелёный цвет."], 2),
             "В кратких страдательных причастиях одна н."),
            (quiz("В каком существительном пишется одна Н?", ["ставле…ик", "муче…ик", "избра…ик", "свяще…ик"], 1),
             "Мученик — от «мученый», остальные с двумя н."),
            (quiz("Почему в слове «каменный» пишется НН?",
                  ["основа на н и суффикс -н-", "суффикс -енн-", "слово-исключение", "причастие с приставкой"], 0),
             "Корень «камен» оканчивается на н, к нему присоединён суффикс -н-."),
            (quiz("Какое слово образовано с помощью суффикса -онн-?", ["лимонный", "вагонный", "экскурсионный", "картонный"], 2),
             "Экскурсия — экскурсионный; в остальных н корня и суффикс -н-."),
        ]),
        "sort": (BASKETS, [
            (word("стекля…ый", "Две НН"), "Стеклянный — исключение."),
            (word("кожа…ый", "Одна Н"), "Суффикс -ан-: кожаный."),
            (word("маши…ый", "Две НН"), "Машина + -н-: машинный."),
            (word("голуби…ый", "Одна Н"), "Суффикс -ин-: голубиный."),
            (word("авиацио…ый", "Две НН"), "Суффикс -онн-: авиационный."),
            (word("рья…ый", "Одна Н"), "Непроизводное прилагательное: рьяный."),
            (word("серебря…ый", "Одна Н"), "Суффикс -ян-: серебряный."),
            (word("лимо…ый", "Две НН"), "Лимон + -н-: лимонный."),
            (word("ю…ый", "Одна Н"), "Непроизводное прилагательное: юный."),
            (word("ветря…ой", "Одна Н"), "Суффикс -ян-: ветряной двигатель."),
        ]),
        "lie_detector": ({}, [
            (statement("В слове «стеклянный» пишется НН, потому что это исключение.", "truth"), "Одно из трёх исключений."),
            (statement("В суффиксе -ин- прилагательных, образованных от названий животных, пишется одна Н.", "truth"),
             "Например: гусиный, лебединый."),
            (statement("В кратких страдательных причастиях пишется НН.", "lie"), "В них одна н: прочитана, решены."),
            (statement("В суффиксах -ан- и -ян- всегда пишется НН, исключений нет: кожаный, серебряный, глиняный.", "truth"),
             "Правило неверно и противоречит собственным примерам."),
            (statement("Слово «ветреный» пишется с одной Н, а «безветренный» — с НН.", "truth"), "Так и есть."),
            (statement("В наречии на -о пишется столько же Н, сколько в слове, от которого оно образовано.", "truth"),
             "Странный — странно, путаный — путано."),
            (statement("Слово «стриженый» всегда пишется с одной Н.", "lie"), "С зависимыми словами: стриженный парикмахером."),
            (statement("В слове «лимонный» две буквы н, потому что к корню на н присоединён суффикс -н-.", "truth"),
             "Лимон + -н-."),
            (statement("Если у слова «жареный» появляется зависимое слово, количество Н не меняется.", "lie"),
             "Меняется: жаренный на масле."),
            (statement("Существительное «труженик» пишется с НН.", "lie"), "Труженик пишется с одной н."),
        ]),
        "spotlight": ({"rule": "Ловите слова с НН"}, [
            (word("карти…ый", "catch"), "Картинный: картина + -н-."),
            (word("пчели…ый", "skip"), "Пчелиный: суффикс -ин-."),
            (word("лекарстве…ый", "catch"), "Лекарственный: суффикс -енн-."),
            (word("ветре…ый", "skip"), "Ветреный — исключение с одной н."),
            (word("пусты…ый", "catch"), "Пустынный: пустыня, основа на н."),
            (word("комари…ый", "skip"), "Комариный: суффикс -ин-."),
            (word("организацио…ый", "catch"), "Организационный: суффикс -онн-."),
            (word("песча…ый", "skip"), "Песчаный: суффикс -ан-."),
            (word("отчая…ый", "catch"), "Отчаянный пишется с двумя н."),
            (word("сви…ой", "skip"), "Свиной: суффикса с н нет, н принадлежит корню."),
        ]),
        "pairs": ({}, [
            (pair("стекля..ая ваза", "стеклянная ваза"), "Исключение."),
            (pair("кожа..ый ремень", "кожаный ремень"), "Суффикс -ан-."),
            # The gap leaves no room for the ending: «машин…а» cannot become «машинная».
            (pair("маши..а вязка", "машинная вязка"), "Машина + -н-: машинная."),
            (pair("ветре..ое утро", "ветреное утро"), "Исключение с одной н."),
            (pair("безветре..ый день", "безветренный день"), "С приставкой две н."),
            (pair("жаре..ая рыба", "жареная рыба"), "Нет приставки и зависимых слов."),
            (pair("зажаре..ая утка", "зажаренная утка"), "Есть приставка."),
            (pair("стари..ый замок", "старинный замок"), "Старина + -н-."),
            (pair("гуси..ое перо", "гусиное перо"), "Суффикс -ин-."),
            (pair("нечая..ая встреча", "нечаянная встреча"), "Исключение с двумя н."),
        ]),
        "memory": ({}, [
            (cards("стекло", "стеклянный"), "Прилагательное от «стекло»."),
            (cards("ветер", "ветреный"), "Прилагательное от «ветер»."),
            (cards("олово", "оловянный"), "Прилагательное от «олово»."),
            (cards("песок", "песчаный"), "Прилагательное от «песок»."),
            (cards("серебро", "серебряный"), "Прилагательное от «серебро»."),
            (cards("гусь", "гусиный"), "Прилагательное от «гусь»."),
            (cards("солома", "соломенный"), "Прилагательное от «солома»."),
            (cards("утро", "утренний"), "Прилагательное от «утро»."),
            (cards("клюква", "клюквенный"), "Прилагательное от «клюква»."),
            (cards("искусство", "искусственный"), "Прилагательное от «искусство»."),
        ]),
        "wheel": ({}, [
            ("изране..ый", "Израненный: приставка."),
            ("гости..ица", "Гостиница: одна н."),
            ("воспита..ик", "Воспитанник: от «воспитанный»."),
            ("труже..ик", "Труженик: одна н."),
            ("имени..ик", "Именинник: именины + -ник."),
            ("тума..ый", "Туманный: туман + -н-."),
            ("песча..ик", "Песчаник: от «песчаный»."),
            ("обыкнове..о", "Обыкновенно: от «обыкновенный»."),
            ("румя..ый", "Румяный: н принадлежит корню."),
            ("бесприда..ица", "Бесприданница: две н."),
        ]),
        "gap": ({}, [
            (gap("Сколько букв н пишется на месте пропуска: «оловя…ая ложка»?", "2", "две"), "Оловянная — исключение."),
            (gap("Сколько букв н пишется на месте пропуска: «гуси…ая лапка»?", "1", "одна"), "Суффикс -ин-."),
            (gap("Какую долю ряда «кожа…ый, стекля…ый, ветре…ый, деревя…ый» составляют слова с НН? Ответ дайте дробью.", "1/2"),
             "С двумя н: стеклянный, деревянный."),
            (gap("Впишите слово целиком: «дли…ая дорога».", "длинная"), "Длина + -н-."),
            (gap("Образуйте краткую форму мужского рода от прилагательного «ценный».", "ценен"), "Ценный — ценен."),
            (gap("Какой частью речи является слово «раненый» в предложении «Раненый застонал»?",
                 "существительное", "имя существительное"), "Слово перешло в существительные."),
            (gap("Образуйте прилагательное от существительного «традиция».", "традиционный"), "Суффикс -онн-."),
            (gap("Сколько процентов слов ряда «ю…ый, румя…ый, дли…ый, пря…ый» пишется с НН?", "25%", "25"),
             "С двумя н только «длинный»."),
            (gap("Впишите слово целиком: «смышлё…ый щенок».", "смышлёный", "смышленый"), "Исключение с одной н."),
            (gap("От какого глагола образовано причастие «брошенный»?", "бросить"), "Бросить — брошенный."),
        ]),
        "order": ({}, [
            (order("Постройте рассуждение: сколько Н в слове «стеклянный».",
                   "Это прилагательное", "Оно образовано от существительного «стекло»",
                   "Обычно в суффиксе такого прилагательного одна Н", "Но это слово-исключение, поэтому пишем НН"),
             "От части речи к выводу."),
            (order("Расположите прилагательные по алфавиту.", "ветреный", "гусиный", "деревянный", "оловянный"), "В, г, д, о."),
            (order("Расположите слова по возрастанию числа букв н в них.", "красивый", "кожаный", "длинный", "иностранный"),
             "Ни одной, одна, две, три."),
            (order("Восстановите цепочку образования слов от существительного.", "ветер", "ветреный", "ветреность"),
             "Каждое слово образовано от предыдущего."),
            (order("Восстановите цепочку образования слов от глагола.", "воспитать", "воспитанный", "воспитанник", "воспитанница"),
             "Каждое слово образовано от предыдущего."),
            (order("Постройте рассуждение: сколько Н в слове «прочитанный».",
                   "Это страдательное причастие", "Оно образовано от глагола «прочитать»",
                   "Глагол совершенного вида с приставкой", "Значит, пишем НН"),
             "От части речи к выводу."),
            (order("Расположите причастия по алфавиту.", "брошенный", "купленный", "решённый", "сделанный"), "Б, к, р, с."),
            (order("Расположите слова по убыванию числа букв в них.", "свойственный", "каменный", "длинный", "ценный"),
             "Двенадцать, восемь, семь, шесть."),
            (order("Расположите наречия по алфавиту.", "искренно", "медленно", "странно", "туманно"), "И, м, с, т."),
        ]),
        "odd_one_out": ({}, [
            (odd("Какое слово пишется с НН?", ["кожа…ый", "стекля…ый", "песча…ый", "ледя…ой"], 1), "Стеклянный — исключение."),
            (odd("Какое слово пишется с одной Н?", ["осе…ий", "весе…ий", "ю…ый", "утре…ий"], 2), "Юный — непроизводное."),
            (odd(None, ["гусиный", "лебединый", "старинный", "соколиный"], 2), "Старина + -н-, остальные с суффиксом -ин-."),
            (odd("Какое слово — не причастие?", ["прочитанный", "купленный", "деревянный", "решённый"], 2),
             "Образовано от существительного."),
            (odd("Какое слово лишнее по числу букв н на месте пропуска?", ["лимо…ый", "осе…ий", "румя…ый", "дли…ый"], 2),
             "Румяный — одна н, в остальных две."),
            (odd("Какое слово образовано с помощью суффикса -онн-?", ["картонный", "комиссионный", "балконный", "вагонный"], 1),
             "Комиссия — комиссионный."),
            (odd(None, ["стеклянный", "оловянный", "деревянный", "карманный"], 3), "Карманный — не исключение: карман + -н-."),
            (odd("В каком слове на месте пропуска одна буква н?", ["неслыха…ый", "жела…ый", "смышлё…ый", "свяще…ый"], 2),
             "Смышлёный, остальные с двумя н."),
            (odd("Какое существительное пишется с НН?", ["труже…ик", "муче…ик", "имени…ик", "песча…ик"], 2),
             "Именинник, остальные с одной н."),
        ]),
    },

    # Each flagged item comes back from its author, with the author's own key.
    "rebuilds": {
        "quiz/2": (quiz("Как пишется первое слово сочетания «краше…ый масляной краской пол»?", ["крашеный", "крашенный"], 1),
                   "Это причастие: есть зависимые слова."),
        "sort/2": (word("карма…ый", "Две НН"), "Карман + -н-: карманный."),
        "sort/6": (word("глиня…ый", "Одна Н"), "Суффикс -ян-: глиняный."),
        "lie_detector/3": (statement("В прилагательных с суффиксами -ан- и -ян- пишется одна Н, кроме трёх слов-исключений.", "truth"),
                           "Исключения: стеклянный, оловянный, деревянный."),
        "lie_detector/6": (statement("В слове «купленный» пишется одна Н, потому что в нём нет приставки.", "lie"),
                           "Купить — глагол совершенного вида, поэтому две н."),
        "spotlight/3": (word("пря…ый", "skip"), "Пряный пишется с одной н."),
        # Broken again, so far off that only the comparison of letters after the votes sees it.
        "pairs/2": (pair("маши..ый", "машинного"), "Машина + -н-: машинный."),
        "odd_one_out/4": (odd("Какое слово отличается числом букв н на месте пропуска?",
                              ["карма…ый", "тума…ый", "серебря…ый", "балко…ый"], 2),
                          "Серебряный — одна н, в остальных две."),
    },

    # Where a solver departs from the author, in answer or in words.
    "ballots": {
        ("strict", "quiz/2@1"): ballot("раненый", why="Отглагольное прилагательное без приставки: раненый."),
        ("methodist", "quiz/2@1"): ballot("раненый", why="Ранить — бесприставочный глагол, одна н."),
        ("methodist", "quiz/4@1"): ballot("нежданый", why="Нет приставки, кроме «не», значит одна н."),
        ("strict", "sort/2@1"): ballot("Одна Н", why="Суффикс -ин-, как в слове «гусиный»."),
        ("methodist", "sort/6@1"): ballot("Две НН", why="Похоже на «стеклянный»."),
        ("strict", "lie_detector/3@1"): ballot("lie", ok=False, why="Правило неверно: примеры написаны с одной н."),
        ("methodist", "lie_detector/3@1"): ballot("lie", ok=False, why="Формулировка правила ошибочна, детям её показывать нельзя."),
        ("methodist", "lie_detector/6@1"): ballot("truth", why="Прилагательное «стриженый» пишется с одной н."),
        ("methodist", "spotlight/3@1"): ballot("catch", why="Суффикс -енн-, как в слове «безветренный»."),
        ("methodist", "odd_one_out/4@1"): ballot("осе…ий", why="Единственное слово с мягким окончанием."),
        # Other spellings of a right short answer: by number or by the item's own list.
        ("methodist", "gap/0@1"): ballot("две", why="Оловянная — исключение."),
        ("strict", "gap/2@1"): ballot("0,5", why="Два слова из четырёх."),
        ("methodist", "gap/7@1"): ballot("25 %", why="Одно слово из четырёх."),
        ("methodist", "gap/8@1"): ballot("смышленый", why="Исключение с одной н."),
    },

    "hearings": {
        # Everybody is wrong together, and the author is right.
        "quiz/2@1": both("раненый", "Глагол «ранить» бесприставочный, слово похоже на прилагательное: раненый.",
                         "Слово «раненый» без приставки пишется с одной н."),
        "quiz/4@1": both("нежданный", "Слово входит в список исключений: нежданный, негаданный, невиданный.",
                         "Правильно «нежданный»: это исключение, его пишут с двумя н."),
        # The choice says one thing, the explanation spells another.
        "sort/2@1": both("Одна Н", "Прилагательное образовано от слова «машина» с помощью суффикса -н-, поэтому пишем «машинный».",
                         "Основа на н и суффикс -н- дают написание «машинный»."),
        "sort/6@1": both("Одна Н", "От существительного «серебро»; по образцу исключений следует писать «серебрянный».",
                         "Правильное написание — «серебрянный»."),
        "lie_detector/6@1": both(None, "Ответ зависит от того, считать ли причастие с зависимыми словами тем же словом.",
                                 "Утверждение можно понять двояко, решить нельзя."),
        "spotlight/3@1": both("catch", "Слово «ветреный» пишется с одной н, это исключение, поэтому ловить не следует.",
                              "Ветреный — одна н, ловить не следует."),
        # The first in each order: the choice follows the position.
        "odd_one_out/4@1": {"ab": ("осе…ий", "Слово «осе…ий» отличается окончанием от всех остальных."),
                            "ba": ("румя…ый", "В слове «румя…ый» одна н, в остальных две.")},
    },

    # Replies that came before the good one, by step: what happened to it on its way.
    "mishaps": {
        "solve/methodist/quiz@1": ["fenced"],
        "solve/strict/spotlight@1": ["truncated", "good"],
        "solve/strict/wheel@1": ["slid", "good"],
        "solve/strict/gap@1": ["index_as_string", "good"],
        "solve/methodist/odd_one_out@1": ["answer_as_array", "good"],
        "solve/strict/memory@1": ["prose", "without_relation", "without_last"],
    },

    # What the old algorithm wrote down: it took the arbiter's choice for the key, asked for no rebuild but of
    # an item that all called unsound, trusted every approval, and did with one solver where another failed.
    "recorded": {
        "quiz/2": {"key": 0}, "sort/2": {"key": "Одна Н"}, "spotlight/3": {"key": "catch"}, "odd_one_out/4": {"key": 1},
        "lie_detector/3": {"revision": 2},
    },
    "recorded_routes": False,

    # All else: accepted at revision 1 by the solvers, no reasons.
    "expected": {
        "quiz/2": ("accepted", 2, "solvers", []),
        "quiz/4": ("accepted", 1, "arbiter", []),
        "sort/2": ("accepted", 2, "solvers", []),
        "sort/6": ("accepted", 2, "solvers", []),
        "lie_detector/3": ("accepted", 2, "solvers", []),
        "lie_detector/6": ("accepted", 2, "solvers", []),
        "spotlight/3": ("accepted", 2, "solvers", []),
        "pairs/2": ("rejected", 2, "solvers", ["rounds_exhausted", "pair_does_not_expand"]),
        "memory/0": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/1": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/2": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/3": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/4": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/5": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/6": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/7": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/8": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "memory/9": ("manual_review", 1, "solvers", ["no_valid_ballot"]),
        "odd_one_out/4": ("accepted", 2, "solvers", []),
    },
}

SMALL = {
    "file": "accepted.run.jsonl", "id": "n-nn-small", "flagman": "0.1.0", "started_at": "2025-03-21T10:05:00Z",
    "games": {
        "quiz": ({}, [
            (quiz("В каком слове пишется одна Н?", ["традицио…ый", "журавли…ый", "были…ый", "клюкве…ый"], 1),
             "Журавлиный: суффикс -ин-."),
            (quiz("Как пишется первое слово сочетания «вяза…ый бабушкой шарф»?", ["вязаный", "вязанный"], 1),
             "Это причастие: есть зависимое слово."),
            (quiz("В каком сочетании пишется НН?", ["варё…ый картофель", "солё…ый огурец", "сваре…ый суп", "мочё…ое яблоко"], 2),
             "Сваренный: есть приставка."),
            (quiz("Почему в слове «длинный» пишется НН?", ["основа на н и суффикс -н-", "суффикс -инн-", "слово-исключение"], 0),
             "Длина + -н-."),
        ]),
        "sort": (BASKETS, [
            (word("соломе…ый", "Две НН"), "Суффикс -енн-: соломенный."),
            (word("орли…ый", "Одна Н"), "Суффикс -ин-: орлиный."),
            (word("полотня…ый", "Одна Н"), "Суффикс -ян-: полотняный."),
            (word("тыкве…ый", "Две НН"), "Суффикс -енн-: тыквенный."),
            (word("багря…ый", "Одна Н"), "Непроизводное прилагательное: багряный."),
        ]),
        "spotlight": ({"rule": "Ловите слова с одной Н"}, [
            (word("мыши…ый", "catch"), "Мышиный: суффикс -ин-."),
            (word("каме…ый", "skip"), "Каменный: камен + -н-."),
            # The author's own mistake.
            (word("шерстя…ой", "skip"), "Шерстяной: суффикс -ян-."),
            (word("време…ый", "skip"), "Временный: две н."),
        ]),
        "wheel": ({}, [
            ("бесчисле..ый", "Бесчисленный: две н."),
            ("племя..ик", "Племянник: две н."),
            ("дикови..ый", "Диковинный: диковина + -н-."),
            ("пута..ица", "Путаница: одна н."),
        ]),
        "gap": ({}, [
            (gap("Впишите слово целиком: «рва…ая рубаха».", "рваная"), "Нет приставки и зависимых слов."),
            (gap("Образуйте прилагательное от существительного «революция».", "революционный"), "Суффикс -онн-."),
            (gap("Сколько букв н пишется на месте пропуска: «муравьи…ая тропа»?", "1", "одна"), "Суффикс -ин-."),
        ]),
    },
    "rebuilds": {"spotlight/2": (word("овся…ый", "catch"), "Овсяный: суффикс -ян-.")},
    "ballots": {
        ("strict", "sort/2@1"): ballot("Две НН", why="По образцу слова «оловянный»."),
        ("strict", "spotlight/2@1"): ballot("catch", why="Шерстяной: суффикс -ян-, одна н."),
        ("methodist", "spotlight/2@1"): ballot("catch", why="Одна н, слово подходит под правило."),
    },
    "hearings": {
        "sort/2@1": both("Одна Н", "Суффикс -ян-, слово не входит в исключения: полотняный.", "Пишется «полотняный», с одной н."),
        "spotlight/2@1": both("catch", "Слово «шерстяной» пишется с одной н, его нужно ловить.", "Одна н: ловить."),
    },
    "mishaps": {},
    "recorded": {
        "sort/2": {"route": "arbiter"},
        "spotlight/2": {"revision": 2, "key": "catch"},
    },
    "recorded_routes": True,
    "expected": {
        "sort/2": ("accepted", 1, "arbiter", []),
        "spotlight/2": ("accepted", 2, "solvers", []),
    },
}

TEXT = {"quiz": "q", "sort": "w", "lie_detector": "s", "spotlight": "w", "pairs": "left", "memory": "a", "gap": "q", "order": "q"}
KEY = {"pairs": "right", "memory": "b", "order": "steps"}
STEP_IN_SECONDS = 4


def key_of(kind, item):
    return None if kind == "wheel" else item[KEY.get(kind, "key")]


def right_answer(kind, item):
    key = key_of(kind, item)
    if kind == "quiz":
        return item["options"][key]
    if kind == "odd_one_out":
        return item["words"][key]
    return key


def echoed(kind, items, ordinal):
    item = items[ordinal]
    if kind == "wheel":
        return item
    if kind == "odd_one_out":
        return "; ".join(item["words"])
    if kind == "quiz" and sum(other["q"] == item["q"] for other in items) > 1:
        return " | ".join([item["q"], *item["options"]])
    return item[TEXT[kind]]


def answers_of(run, solver, kind, items, whys, ordinals, round_number):
    answers = []
    for i in ordinals:
        said = run["ballots"].get((solver, f"{kind}/{i}@{round_number}"))
        answer = {"i": i, "w": echoed(kind, items, i), "ok": said["ok"] if said else True}
        if kind != "wheel":
            answer["answer"] = said["answer"] if said else right_answer(kind, items[i])
        if kind in ("pairs", "memory"):
            answer["relation"] = "expansion" if kind == "pairs" else "other"
        # The methodist explains only where it departs from the author: an empty `why` is allowed.
        answer["why"] = said["why"] if said else whys[i] if solver == "strict" else ""
        answers.append(answer)
    return answers


def dumped(answers):
    return json.dumps({"answers": answers}, ensure_ascii=False)


def response(status, body):
    return {"status": status, "http": 200, "body": body}


def slid(answers):
    moved = [dict(answer) for answer in answers]
    for here in range(5, len(answers)):
        moved[here]["w"] = answers[here - 1]["w"]
        moved[here]["why"] = answers[here - 1]["why"]
    return moved


def with_change(answers, ordinal, field, change):
    return [{**answer, field: change(answer[field])} if answer["i"] == ordinal else answer for answer in answers]


def reply(what, answers):
    good = dumped(answers)
    if what == "good":
        return response("ok", good)
    if what == "fenced":
        return response("ok", "Проверил все вопросы, ответы ниже.\n\n```json\n" + good + "\n```\n")
    if what == "truncated":
        return response("truncated", good[:len(good) * 3 // 5])
    if what == "slid":
        return response("ok", dumped(slid(answers)))
    if what == "index_as_string":
        return response("ok", dumped(with_change(answers, 3, "i", str)))
    if what == "answer_as_array":
        return response("ok", dumped(with_change(answers, 5, "answer", lambda answer: [answer])))
    if what == "prose":
        return response("ok", "Все пары подобраны верно: " + "; ".join(f"{a['w']} — {a['answer']}" for a in answers) + ".")
    if what == "without_relation":
        return response("ok", dumped([{name: a[name] for name in a if name != "relation"} for a in answers]))
    if what == "without_last":
        return response("ok", dumped(answers[:-1]))
    raise ValueError(what)


class Lines:
    def __init__(self, run):
        self.run, self.lines, self.calls = run, [], 0

    def add(self, **fields):
        self.lines.append(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))

    def call(self, step, number, answered, model):
        """What is optional on a call is there on some, as in runs of various makers."""
        self.calls += 1
        known, length = {}, len(answered["body"])
        if self.calls % 2:
            known["model"] = model
            known["latency_ms"] = 900 + 3 * length + 137 * self.calls % 1000
        if self.calls % 3 == 1:
            at = datetime.datetime.fromisoformat(self.run["started_at"].replace("Z", "+00:00"))
            at += datetime.timedelta(seconds=STEP_IN_SECONDS * self.calls)
            known["at"] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
            known["usage"] = {"input_tokens": 420 + length // 2, "output_tokens": max(1, length // 3)}
        self.add(type="call", package=self.run["id"], step=step, call=number, response=answered, **known)


def solve(out, run, kind, items, whys, ordinals, round_number):
    for solver in SOLVERS:
        step = f"solve/{solver}/{kind}@{round_number}"
        answers = answers_of(run, solver, kind, items, whys, ordinals, round_number)
        for number, what in enumerate(run["mishaps"].get(step, ["good"]), 1):
            out.call(step, number, reply(what, answers), MODELS[solver])


def hear(out, run, kind, items, round_number):
    for i in range(len(items)):
        heard = run["hearings"].get(f"{kind}/{i}@{round_number}", {})
        for direction, (choice, why) in heard.items():
            body = {"i": i, "w": echoed(kind, items, i), "why": why, "choice": choice}
            out.call(f"arbiter/{kind}/{i}@{round_number}/{direction}", 1,
                     response("ok", json.dumps(body, ensure_ascii=False)), MODELS["arbiter"])


def lines_of(run):
    out = Lines(run)
    items = {kind: [item for item, _ in listed] for kind, (_, listed) in run["games"].items()}
    whys = {kind: [why for _, why in listed] for kind, (_, listed) in run["games"].items()}
    games = {kind: {**shared, "data": list(items[kind])} for kind, (shared, _) in run["games"].items()}

    out.add(type="run", format="flagman.run/1", flagman=run["flagman"], started_at=run["started_at"], policy=POLICY)
    out.add(type="package", package=run["id"], body={
        "format": "flagman.package/1", "id": run["id"], "topic": "Н и НН в разных частях речи", "subject": "русский язык",
        "grade": 9, "language": "ru", "teacher": "t-17", "games": games})
    for kind in items:
        solve(out, run, kind, items[kind], whys[kind], range(len(items[kind])), 1)
        hear(out, run, kind, items[kind], 1)

    returned = {}
    for name, (item, why) in run["rebuilds"].items():
        kind, i = name.split("/")
        items[kind][int(i)], whys[kind][int(i)] = item, why
        returned.setdefault(kind, []).append(int(i))
        out.add(type="rebuild", package=run["id"], item=name, revision=2, data=item)
    for kind, ordinals in returned.items():
        solve(out, run, kind, items[kind], whys[kind], ordinals, 2)
        hear(out, run, kind, items[kind], 2)

    for kind in items:
        for i in range(len(items[kind])):
            out.add(**recorded_decision(run, kind, i, items[kind][i]))
    out.add(type="end")
    return out.lines


def recorded_decision(run, kind, i, newest):
    said = run["recorded"].get(f"{kind}/{i}", {})
    revision = said.get("revision", 1)
    item = newest if revision > 1 else run["games"][kind][1][i][0]
    decision = {"type": "decision", "package": run["id"], "item": f"{kind}/{i}", "revision": revision,
                "outcome": "accepted", "reasons": [], "key": said.get("key", key_of(kind, item))}
    if run["recorded_routes"]:
        decision["route"] = said.get("route", "solvers")
    return decision


def expected_of(run):
    names = [f"{kind}/{i}" for kind, (_, listed) in run["games"].items() for i in range(len(listed))]
    fields = ("outcome", "revision", "route", "reasons")
    return {name: dict(zip(fields, run["expected"].get(name, ("accepted", 1, "solvers", [])))) for name in names}


def main():
    here = pathlib.Path(__file__).resolve().parent
    for run in (BIG, SMALL):
        (here / run["file"]).write_text("\n".join(lines_of(run)) + "\n", encoding="utf-8", newline="\n")
    rows = []
    for run in (BIG, SMALL):
        inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in expected_of(run).items())
        rows.append(f" {json.dumps(run['id'])}: {{\n{inner}\n }}")
    (here / "n-nn.expected.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
