import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

/**
 * A QR code drawn as one path; `what` names it for screen readers. Always dark on light: cameras
 * expect that.
 */
export function QrCode({ text, what }: { readonly text: string; readonly what: string }) {
  const { size, path } = useMemo(() => {
    const { data, size: side } = encode(text, { ecc: 'M', border: 2 });
    const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: side, path: cells.join('') };
  }, [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={what} shape-rendering="crispEdges">
      <rect class="qr-ground" width={size} height={size} />
      <path class="qr-cells" d={path} />
    </svg>
  );
}
