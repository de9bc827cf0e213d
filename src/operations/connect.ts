import { z } from 'zod';
import type { PermissionKind } from './operation.ts';
import type { Text } from './review.ts';

/** `eth_requestAccounts` takes no parameters; some libraries send an empty list. */
export const requestAccountsParams = z.union([z.undefined(), z.null(), z.array(z.unknown()).max(0)]);

/** Kinds that a plain connection asks for. Everything else is asked for by name. */
export const connectKinds: readonly PermissionKind[] = ['read', 'orders', 'sign'];

/** One sentence a kind, in the words of what a site can then do. */
export const kindSentence = (kind: PermissionKind): Text => ({ key: `permission_${kind}` });
