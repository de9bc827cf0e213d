/** Hebrew letters for Latin ones, so that the browser's own rules for direction apply; nothing in it means anything. */
const hebrew = [...'אבגדהוזחטיכלמנסעפצקרשתןםףץ'];
const other = (letter: string) => hebrew[(letter.toLowerCase().codePointAt(0) ?? 97) - 97] ?? letter;

/**
 * A right-to-left language made from the English catalog: other letters, a fifth longer, placeholders untouched. It exists in
 * tests only; what it shows is that direction and length are nowhere taken for granted.
 */
export function pseudoCatalog(english: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(english).map(([key, text]) => {
    const parts = text.split(/(\{\w+\})/);
    const turned = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, other))).join('');
    const words = turned.split(' ');
    const longer = [...words, ...words.filter((word) => !word.includes('{')).slice(0, Math.ceil(words.length / 5))];
    return [key, longer.join(' ')] as const;
  });
  return { ...Object.fromEntries(entries), languageDirection: 'rtl' };
}
