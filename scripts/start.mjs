/**
 * `npm start`: prepares everything, starts a relayer and the demo dApp, and opens Chromium with the
 * extension. Without a display, or with --headless, it walks the tour and says with its exit code
 * if every step held.
 */
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { buildAll, checkNode, endChildren, findOrInstallChromium, installModules, Stop } from './prepare.mjs';

const usage = `npm start -- [options]

  --headless      walk the tour without a window (the default where there is no display)
  --port N        port of the relayer, 4510 by default; the demo page takes the next one
  --profile DIR   keep browser profile, relayer database and demo keys in DIR and use them again
  --by-hand       leave the wallet's setup to you; otherwise it is done with the demo account
  --keep          keep relayer and page running after the tour, or after the browser was closed
  --help          this text
`;

const say = (line) => process.stdout.write(`${line}\n`);

/** Undone in reverse order at the end, whatever the end is. */
const undo = [];
let ending = false;

async function end(code) {
  if (ending) return;
  ending = true;
  endChildren();
  for (const step of undo.reverse()) {
    // One that hangs or throws must not keep the others from running.
    await Promise.race([step().catch(() => {}), new Promise((done) => setTimeout(done, 5_000).unref())]);
  }
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (ending) return;
    say(`\n${signal === 'SIGINT' ? 'Stopping' : `Stopping (${signal})`} …`);
    void end(130);
  });

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        headless: { type: 'boolean', default: false },
        port: { type: 'string', default: '4510' },
        profile: { type: 'string' },
        'by-hand': { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1024 || port > 65_534)
      throw new Error(`--port takes a number from 1024 to 65534, not ${values.port}`);
    return { ...values, port };
  } catch (error) {
    throw new Stop(`${error.message}\n\n${usage}`);
  }
}

/** @throws {Stop} something already listens there. */
function checkPort(port, user) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        new Stop(
          `Port ${port}, which ${user} needs, ${error.code === 'EADDRINUSE' ? 'is taken. Is another demo running? End it' : `cannot be used (${error.code}). End what holds it`}, or choose another pair of ports:\n\n    npm start -- --port ${port > 60_000 ? port - 100 : port + 100}`,
        ),
      ),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(resolve));
  });
}

async function main() {
  const options = readOptions();
  if (options.help) {
    say(usage);
    return 0;
  }
  checkNode();
  const hasDisplay =
    ['darwin', 'win32'].includes(process.platform) || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const headless = options.headless || !hasDisplay;
  if (headless && options.profile !== undefined)
    throw new Stop('--profile goes with a window: the tour always starts with a new wallet. Leave one of the two out.');
  if (headless && !options.headless) say('No display here: walking the tour headless.');
  await checkPort(options.port, 'the relayer');
  await checkPort(options.port + 1, 'the demo page');
  await installModules(say);
  const chromium = await findOrInstallChromium(say);
  say('Building the extension and the demo page …');
  await buildAll();
  // From here on the code is TypeScript; tsx reads it as it is.
  const { register } = await import('tsx/esm/api');
  register();
  const { runDemo } = await import('./demo/runDemo.ts');
  return runDemo({
    headless,
    relayerPort: options.port,
    pagePort: options.port + 1,
    profile: options.profile,
    keep: options.keep,
    byHand: options['by-hand'],
    chromium,
    // What fails because we are already ending is no news.
    say: (line) => {
      if (!ending) say(line);
    },
    atEnd: (step) => void undo.push(step),
  });
}

try {
  await end(await main());
} catch (error) {
  if (!ending) process.stderr.write(`\n${error.name === 'Stop' ? error.message : (error.stack ?? error)}\n`);
  await end(1);
}
