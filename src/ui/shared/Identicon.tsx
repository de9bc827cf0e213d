/**
 * A picture of an address, for recognising one's own accounts. No proof: pictures can be made
 * alike, the address beside it counts. Mirrored 5 × 5 cells from the address bits, hue from its
 * last bytes.
 */
export function Identicon({ address }: { readonly address: string }) {
  const digits = [...address.toLowerCase().replace(/^0x/, '')].map((digit) => Number.parseInt(digit, 16) || 0);
  const hue = ((digits[36] ?? 0) * 16 + (digits[37] ?? 0)) * (360 / 256);
  const cells: { x: number; y: number }[] = [];
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      if ((digits[row * 3 + column] ?? 0) % 2 === 0) continue;
      cells.push({ x: column, y: row });
      if (column < 2) cells.push({ x: 4 - column, y: row });
    }
  }
  return (
    <svg class="identicon" viewBox="0 0 9 9" aria-hidden="true" focusable="false">
      <rect width="9" height="9" fill={`hsl(${hue} var(--dot-ground))`} />
      {cells.map(({ x, y }) => (
        <rect key={`${x}:${y}`} x={x + 2} y={y + 2} width="1.02" height="1.02" fill={`hsl(${hue} var(--dot-ink))`} />
      ))}
    </svg>
  );
}
