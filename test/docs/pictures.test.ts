import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromScreens, fromTour } from '../../scripts/pictures/pictures.mjs';
import { root } from '../../scripts/prepare.mjs';
import { frameScenarios } from '../ui/gallery/frameScenarios.ts';
import { scenarios } from '../ui/gallery/scenarios.ts';

const pictures = readdirSync(join(root, 'docs/pictures')).sort();

test('the pictures that the documents show are those that are kept', () => {
  const texts = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))].map((name) =>
    readFileSync(join(root, name === 'README.md' ? name : `docs/${name}`), 'utf8'),
  );
  const shown = texts.flatMap((text) => [...text.matchAll(/pictures\/([\w-]+\.png)/g)].map(([, name]) => name));
  expect([...new Set(shown)].sort()).toEqual(pictures);
});

test('every kept picture is taken by the tour or from a screen that exists', () => {
  expect([...Object.values(fromTour), ...Object.values(fromScreens)].sort()).toEqual(pictures);
  const screens = [...scenarios, ...frameScenarios].map(({ name }) => name);
  expect(Object.keys(fromScreens).filter((name) => !screens.includes(name))).toEqual([]);
  // Which pictures the tour takes is known when it was walked: `npm test` compares them after the
  // tour.
  expect(readFileSync(join(root, 'test/run.mjs'), 'utf8')).toContain('tourFiles(');
});
