import { openAccount } from '../../scripts/demo/openAccount.ts';
import { deliver, newRequest, openTab, PASSWORD, type PageRequest } from './people.ts';
import type { Ask } from './scenario.ts';
import { SITE, type Stage } from './stage.ts';

/** Lets a page of the first browser ask for something that is approved in peace. */
export async function inPeace(stage: Stage, ask: Ask): Promise<unknown> {
  const [browser] = stage.browsers;
  if (!browser) throw new Error('a stage has a browser');
  const requests: PageRequest[] = [];
  const tab = openTab(browser, 99, SITE, requests);
  const request = newRequest(browser, tab, ask);
  requests.push(request);
  for (let i = 0; i < 400 && request.answers.length === 0; i++) {
    await deliver(request);
    for (const { id } of await browser.ui('listApprovals', {})) {
      const view = await browser.ui('getApproval', { id });
      if (view.needsPassword) await browser.ui('unlock', { password: PASSWORD });
      else if (view.stage === 'ready')
        await browser.ui('approve', {
          id,
          digest: view.digest ?? '',
          account: view.account?.id ?? null,
          password: PASSWORD,
          // A site whose connection was lost asks for it again.
          ...(view.connect ? { accounts: view.connect.accounts.map((account) => account.id) } : {}),
        });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  browser.tabs.delete(99);
  const [answer] = request.answers;
  if (!answer || 'error' in answer) throw new Error(`${ask.method} in peace: ${JSON.stringify(answer)}`);
  return answer.result;
}

/** Somebody else at the same relayer. */
export async function openFriend(stage: Stage): Promise<void> {
  const friend = await openAccount({
    client: stage.client,
    baseUrl: stage.relayer.url,
    funds: { ETH: '1' },
  });
  Object.assign(stage.memory, { friend: friend.owner, friendId: String(friend.accountId), friendKey: friend.apiKey });
}
