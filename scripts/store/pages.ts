import { type Scene, SHOT, TILE } from './scenes.ts';

const ink = '#14573f';
const paper = '#f5f4ef';
const mint = '#8fe0b6';

const style = `
  * { box-sizing: border-box; margin: 0; }
  body { display: flex; align-items: center; overflow: hidden; background: ${ink}; color: ${paper}; font-family: system-ui, sans-serif; }
  h1 { font-weight: 700; letter-spacing: -0.02em; line-height: 1.1; text-wrap: balance; }
  p { color: #cfe3d8; line-height: 1.45; text-wrap: pretty; }
  .brand { display: flex; align-items: center; gap: 14px; font-weight: 600; }
  .brand svg { border-radius: 22%; box-shadow: 0 0 0 1px ${mint}55; }
`;

const frame = (size: { width: number; height: number }, css: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Countersign</title><style>${style}
  body { width: ${size.width}px; height: ${size.height}px; }${css}</style></head><body>${body}</body></html>`;

const brand = (icon: string, edge: number): string =>
  `<div class="brand"><span style="width:${edge}px;height:${edge}px">${icon.replace('<svg ', `<svg width="${edge}" height="${edge}" `)}</span>Countersign</div>`;

/** A screenshot of a store: what it shows in words on one side, one or two screens on the other. */
export function shotPage(scene: Scene, icon: string, pictures: readonly string[]): string {
  const width = pictures.length === 1 ? 440 : 352;
  return frame(
    SHOT,
    `
  .words { display: grid; gap: 22px; width: ${pictures.length === 1 ? 560 : 400}px; padding-inline-start: ${pictures.length === 1 ? 96 : 56}px; flex: none; }
  .brand { font-size: 20px; }
  h1 { font-size: ${pictures.length === 1 ? 56 : 44}px; }
  p { font-size: 21px; }
  .screens { flex: 1; display: flex; align-items: center; justify-content: center; gap: 24px; }
  img { width: ${width}px; border-radius: 18px; box-shadow: 0 30px 70px rgb(0 0 0 / 35%), 0 0 0 1px rgb(0 0 0 / 12%); }
  img:nth-child(2) { margin-top: 40px; margin-bottom: -40px; }`,
    `<div class="words">${brand(icon, 40)}<h1>${scene.title}</h1><p>${scene.text}</p></div>
    <div class="screens">${pictures.map((source) => `<img src="${source}" alt="">`).join('')}</div>`,
  );
}

/** The small tile by which the Chrome Web Store shows an extension among others. */
export const tilePage = (icon: string): string =>
  frame(
    TILE,
    `
  body { flex-direction: column; justify-content: center; gap: 18px; text-align: center; }
  .brand { font-size: 40px; letter-spacing: -0.02em; }
  p { font-size: 22px; }`,
    `${brand(icon, 64)}<p>Read before you sign</p>`,
  );
