import { join } from 'node:path';
import { createRelayerClient, type RelayerClient } from '../../src/client/index.ts';
import { createRelayer, type RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { loadKeys } from './demoKeys.ts';
import { type DemoAccount, openAccount } from './openAccount.ts';
import { placeQuotes, takeQuotes } from './placeQuotes.ts';
import { type Gateway, serveGateway } from './serveGateway.ts';
import { type PageServer, servePage } from './servePage.ts';

export interface StageOptions {
  /** Folder of the database and the keys of the demo accounts. */
  readonly folder: string;
  /** Keeps the database in the folder; otherwise it is gone with the process. */
  readonly keepsData: boolean;
  /** 0 takes any free port. */
  readonly relayerPort: number;
  /** 0 takes any free port. */
  readonly pagePort: number;
  /** Password of the wallet that the page's guide names; `null`: the user chooses one. */
  readonly password: string | null;
  readonly say: (line: string) => void;
  /** Registers what has to be undone at the end; called in reverse order. */
  readonly atEnd: (step: () => Promise<void>) => void;
}

export interface DemoStage {
  readonly relayer: RunningRelayer;
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  readonly page: PageServer;
  readonly gateway: Gateway;
}

/**
 * Everything around the browser: a relayer, a funded account, a market maker with its quotes and
 * first trades, and the demo page.
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`: a port is taken.
 */
export async function startStage(options: StageOptions): Promise<DemoStage> {
  const { folder, say, atEnd } = options;
  say('Starting the relayer on an embedded database …');
  const relayer = await createRelayer({
    dev: true,
    port: options.relayerPort,
    logLevel: 'fatal',
    ...(options.keepsData ? { dataDir: join(folder, 'relayer') } : {}),
  });
  atEnd(() => relayer.close());

  say('Preparing the demo account and a market maker …');
  // A busy machine may be slow with what follows.
  const client = createRelayerClient({ baseUrl: relayer.url, timeoutMs: 60_000 });
  const keys = await loadKeys(folder);
  const account = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: keys.demo,
    funds: { ETH: '5', LRC: '20000', USDT: '10000', DAI: '2500' },
  });
  const maker = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: keys.maker,
    funds: { ETH: '100', LRC: '2000000' },
  });
  if (maker.isNew) {
    await placeQuotes(client, maker);
    const taker = await openAccount({
      client,
      baseUrl: relayer.url,
      funds: { ETH: '1', LRC: '500' },
    });
    await takeQuotes(client, taker);
  }

  const gateway = await serveGateway();
  atEnd(() => gateway.close());
  const page = await servePage({
    port: options.pagePort,
    readsFrom: new URL(gateway.url).origin,
    guide: {
      relayer: relayer.url,
      gateway: gateway.url,
      privateKey: account.privateKey,
      password: options.password,
    },
  });
  atEnd(() => page.close());
  return { relayer, client, account, page, gateway };
}
