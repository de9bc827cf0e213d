import { z } from '../../../protocol/zod.ts';

export const hexChainId = () => z.string().check(z.regex(/^0x[0-9a-f]{1,16}$/i, 'is not a chain id as hex'));
