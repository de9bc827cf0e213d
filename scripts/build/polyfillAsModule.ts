import type { Plugin } from 'vite';

/** What the extension uses of the browser; the rest is as the browser gives it. */
const USED = ['alarms', 'idle', 'notifications', 'permissions', 'runtime', 'storage', 'tabs', 'windows'];
const METADATA = /(const apiMetadata = )(\{.*?\n {6}\});/s;

/**
 * `webextension-polyfill` as a module, without its list of the APIs that nobody uses here, which is
 * 0.9 kB in a zip and read at each cold start. It is CommonJS: the bundler would copy such exports
 * property by property, and the browser builds an API when it is touched, so each cold start would
 * build all of them, for three milliseconds.
 * @throws {Error} the package holds its list in another way.
 */
export const polyfillAsModule = (): Plugin => ({
  name: 'polyfill-as-module',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/webextension-polyfill/dist/browser-polyfill.js')) return null;
    const [found, start = '', list = ''] = METADATA.exec(code) ?? [];
    if (found === undefined) throw new Error(`${id} holds no list of APIs`);
    const apis = JSON.parse(list) as Readonly<Record<string, unknown>>;
    const used = JSON.stringify(Object.fromEntries(USED.map((name) => [name, apis[name]])));
    return {
      code: `const module = { exports: {} }; const { exports } = module;\n${code.replace(found, () => `${start}${used};`)}\nexport default module.exports;`,
      map: null,
    };
  },
});
