import { statusOf } from '../../../journal/index.ts';
import type { SubmissionStatus } from '../../../messaging/views.ts';
import { reported } from '../../../report/report.ts';
import { toText } from '../../errors/uiFailure.ts';
import { exchangeId } from '../../settings/exchangeId.ts';
import { networkNamed, placeNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

const ofPages = { action: reported('page: action'), 'not caught': reported('page: not caught') } as const;

export const diagnosticHandlers = {
  async getDiagnostics(wallet, { account: id }) {
    const { account, network } = await placeNamed(wallet, id);
    const { networkId, accountId } = account;
    // Until the first use after an update a cursor lies under its network's id.
    const places = [networkId, exchangeId(network)];
    const { cursors } = await wallet.journal.exportAll();
    const symbols = await wallet.relayers.knownSymbols(networkId);
    const states = new Map<SubmissionStatus, number>();
    for (const record of await wallet.journal.list({ networkId, accountId }))
      states.set(statusOf(record), (states.get(statusOf(record)) ?? 0) + 1);
    return {
      cursors: cursors
        .filter((cursor) => places.includes(String(cursor.exchange)) && cursor.accountId === accountId)
        .map(({ tokenId, parity, next }) => ({
          tokenId: Number(tokenId),
          symbol: symbols.get(Number(tokenId)) ?? null,
          parity: parity === 'order' ? ('order' as const) : ('offchain' as const),
          next: Number(next),
        })),
      states: [...states].map(([status, count]) => ({ status, count })).toSorted((a, b) => b.count - a.count),
    };
  },

  getFailures: ({ reports }) => reports.list(),

  async addFailure(_wallet, { where, ...error }) {
    ofPages[where](Object.assign(new Error(), error));
    return null;
  },

  async getRelayerHealth(wallet, { networkId }) {
    const network = await networkNamed(wallet, networkId);
    const { now } = wallet.ports;
    const asked = now();
    try {
      const { timestamp } = await wallet.relayers.client(network).getTimestamp({});
      const milliseconds = now() - asked;
      return {
        baseUrl: network.baseUrl,
        milliseconds,
        clockAhead: Math.round(asked + milliseconds / 2 - timestamp),
        problem: null,
      };
    } catch (error) {
      const problem = toText(error, new URL(network.baseUrl).host);
      return { baseUrl: network.baseUrl, milliseconds: null, clockAhead: null, problem };
    }
  },

  async exportJournal({ journal }) {
    // A signed request that the relayer does not have could be sent by whoever reads the file. Its
    // body repeats the draft.
    const withoutSignature = (key: string, value: unknown) => (/signature$|^bodyText$/i.test(key) ? undefined : value);
    return { json: JSON.stringify(await journal.exportAll(), withoutSignature, 2) };
  },
} satisfies UiHandlers<'config' | 'journal' | 'ports' | 'relayers' | 'reports'>;
