/** The words of a recovery phrase, each with its number, as they are written down and compared. */
export function PhraseWords({ words }: { readonly words: readonly string[] }) {
  return (
    <ol class="phrase-words" data-testid="phrase">
      {words.map((word, index) => (
        <li key={index}>{word}</li>
      ))}
    </ol>
  );
}
