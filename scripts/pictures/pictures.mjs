/**
 * Where each picture of the guides comes from: `scripts/pictures/takePictures.mjs` takes them,
 * `test/docs/pictures.test.ts` compares.
 */

/** Name in the tour, without its number, and name in `docs/pictures/`. */
export const fromTour = {
  network: 'network.png',
  key: 'key.png',
  connect: 'connect.png',
  order: 'approval.png',
  'order-taken': 'taken.png',
  'order-waits': 'demo.png',
};

/** Screen of `npm run screens`, and name in `docs/pictures/`. */
export const fromScreens = { 'popup-site': 'site.png' };

/**
 * @param {readonly string[]} taken files of `out/tour/`.
 * @returns {[name: string, file: string | undefined, picture: string][]} for each picture from the
 *   tour the file that it is.
 */
export const tourFiles = (taken) =>
  Object.entries(fromTour).map(([name, picture]) => [
    name,
    taken.find((file) => file.replace(/^\d+-/, '') === `${name}.png`),
    picture,
  ]);
