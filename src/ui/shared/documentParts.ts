/** A text may set this many blank lines in a row; more would push what follows out of sight. */
const blankLinesShown = 2;

type DocumentPart = { readonly lines: string[] } | { readonly blankLines: number };

/** Splits a text into its lines, with each long run of blank lines as their number. */
export function documentParts(text: string): DocumentPart[] {
  const parts: DocumentPart[] = [];
  let blank: string[] = [];
  const add = (lines: readonly string[]) => {
    const last = parts.at(-1);
    if (last !== undefined && 'lines' in last) last.lines.push(...lines);
    else if (lines.length > 0) parts.push({ lines: [...lines] });
  };
  const endRun = () => {
    if (blank.length > blankLinesShown) parts.push({ blankLines: blank.length });
    else add(blank);
    blank = [];
  };
  for (const line of text.split(/\r\n|\n/)) {
    if (/^[ \t]*$/.test(line)) blank.push(line);
    else {
      endRun();
      add([line]);
    }
  }
  endRun();
  return parts;
}
