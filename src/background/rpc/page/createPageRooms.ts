import { pushAnswers } from '../../approvals/answerPages.ts';
import { closeQuestion } from '../../approvals/closeQuestions.ts';
import { refreshBadge } from '../../approvals/refreshBadge.ts';
import { joinReads } from '../../relayers/joinReads.ts';
import { publicReadsFor, readsFor } from '../../relayers/reads.ts';
import { endLocked, endStandingApprovals } from '../../sites/standingApprovals.ts';
import { receiptOf } from '../../submissions/receiptOf.ts';
import type { Wallet } from '../../wallet.ts';

import type { PageRooms } from './rooms.ts';

export function createPageRooms(wallet: Wallet): PageRooms {
  const { vault, approvals, requests, journal, standing, config, relayers, accountKeys, ports } = wallet;
  const joined = joinReads();
  return {
    isUnlocked: () => vault.isUnlocked(),
    reads: ({ account, network }, origin) =>
      joined(
        account.id,
        readsFor(account, network, { relayers, accountKeys, now: ports.now }, { priority: 'poll', origin }),
      ),
    publicReads: (network, origin) =>
      joined(network.id, publicReadsFor(network, relayers, { priority: 'poll', origin })),
    history: {
      approvals,
      requests,
      journal,
      async withdraw(id, error) {
        const closed = await closeQuestion(wallet, id, () => error);
        if (!closed) return false;
        await pushAnswers(wallet, closed);
        await refreshBadge(wallet);
        return true;
      },
      receipt: (record) => receiptOf(wallet, record, 'site'),
    },
    standing: {
      async active(origin) {
        await endLocked(wallet);
        return standing.active({ origin });
      },
      get: standing.get,
      end: (id) => endStandingApprovals(wallet, { id }, 'site'),
    },
    layer1: {
      async holdsKeyOf({ signer, owner }) {
        const held = (await config.read()).signers.find(({ id }) => id === signer);
        return held?.kind === 'local' && held.address.toLowerCase() === owner.toLowerCase();
      },
      exchanges: async () => (await config.read()).networks.map((network) => network.exchangeAddress),
    },
  };
}
