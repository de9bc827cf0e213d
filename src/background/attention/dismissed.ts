import { z } from '../../protocol/zod.ts';
import type { Wallet } from '../wallet.ts';

const KEEP_DISMISSED = 200;
const DISMISSED = 'attention-dismissed';

export async function dismissed({ ports }: Pick<Wallet, 'ports'>): Promise<readonly string[]> {
  return z.catch(z.array(z.string()), []).parse(await ports.local.get(DISMISSED));
}

export async function dismiss(wallet: Pick<Wallet, 'ports'>, id: string): Promise<void> {
  await wallet.ports.lock('attention', async () => {
    const all = [id, ...(await dismissed(wallet)).filter((other) => other !== id)].slice(0, KEEP_DISMISSED);
    await wallet.ports.local.set({ [DISMISSED]: all });
  });
}
