import type { Drawn } from './drawScenario.ts';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** All pictures on one page, each screen a row, with what axe said. */
export function indexPage(drawn: readonly Drawn[]): string {
  const findings = drawn.flatMap((one) => one.findings);
  const problems = findings.filter(({ weight }) => weight === 'problem');
  const checks = drawn.reduce((sum, one) => sum + one.checks, 0);
  const pictures = drawn.reduce((sum, one) => sum + one.pictures.length, 0);
  const list = (title: string, of: typeof findings) =>
    of.length === 0
      ? ''
      : `<h2>${title}</h2><ul>${of
          .map(({ scenario, look, text }) => `<li><b>${scenario}</b> (${look}): ${escapeHtml(text)}</li>`)
          .join('')}</ul>`;
  const rows = drawn.map(
    ({ scenario, pictures: own }) =>
      `<section><h2 id="${scenario}">${scenario}</h2><div>${own
        .map(
          ({ look, file }) =>
            `<figure><a href="${file}"><img src="${file}" alt="${scenario}, ${look}" loading="lazy"></a><figcaption>${look}</figcaption></figure>`,
        )
        .join('')}</div></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign: every screen</title>
<style>
body{margin:2rem;font:15px/1.5 system-ui,sans-serif;color:#191c19;background:#f5f4ef}
section>div{display:flex;gap:1rem;overflow-x:auto;padding-bottom:1rem;align-items:start}
figure{margin:0;flex:none}img{height:340px;width:auto;border:1px solid #dfdcd2;border-radius:8px;display:block}
figcaption{font-size:.8rem;color:#555950}h2{margin:2rem 0 .5rem;font-size:1rem}a{color:#14573f}nav{columns:4;font-size:.85rem}
</style>
<h1>Every screen</h1>
<p>${drawn.length} screens, ${pictures} pictures; axe-core: ${checks} checks kept, ${problems.length} problems, ${findings.length - problems.length} minor findings.</p>
<nav>${drawn.map(({ scenario }) => `<a href="#${scenario}">${scenario}</a><br>`).join('')}</nav>
${list('Problems', problems)}${list(
  'Minor findings',
  findings.filter(({ weight }) => weight === 'minor'),
)}
${rows.join('\n')}</html>`;
}
