/**
 * Letters that look like ASCII ones and survive compatibility decomposition: Cyrillic, Greek,
 * Armenian, Lisu, Cherokee, Latin variants. Capitals stand apart, because some look like another
 * letter than their small form (Η and η, Ν and ν).
 */
const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑАΑꓮᎪ',
    b: 'ЬьƅвВΒꓐᏴ',
    c: 'сϲСϹꓚᏟ',
    d: 'ԁɗđꓓᎠ',
    e: 'еєεҽ℮ЕΕꓰᎬ',
    f: 'ғƒꓝ',
    g: 'ɡցԌꓖᏀ',
    h: 'һհнНΗꓧᎻ',
    i: 'іιıɩІΙꓲ',
    j: 'јϳЈꓙᎫ',
    k: 'кκҝКΚꓗᏦ',
    l: 'ӏⅼłǀӀꓡᏞ',
    m: 'мМΜꓟᎷ',
    n: 'ոпɴηΝꓠ',
    o: 'оοσօøОΟꓳ',
    p: 'рρРΡꓑᏢ',
    q: 'ԛգԚ',
    r: 'гɾʀꓣᎡ',
    s: 'ѕꜱЅꓢᏚ',
    t: 'тτŧТΤꓔᎢ',
    u: 'υսʋцꓴ',
    v: 'ѵνѴꓦᏙ',
    w: 'ѡԝωшԜꓪᎳ',
    x: 'хχ×ХΧꓫ',
    y: 'уүγʏУΥҮꓬᎩ',
    z: 'ᴢʐΖꓜᏃ',
  }).flatMap(([plain, alike]) => [...alike].map((letter): [string, string] => [letter, plain])),
);

/** The small ASCII letter that a character looks like, else the character in lower case. */
export const plainLetter = (letter: string): string => CONFUSABLES.get(letter) ?? letter.toLowerCase();

/** Makes one of what looks alike among small ASCII letters and digits, such as `1`, `i` and `l`. */
export const foldAlike = (text: string): string =>
  text
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replace(/3/g, 'e')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
