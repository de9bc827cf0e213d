import type { PermissionKind } from './operation.ts';
import type { Text } from './review.ts';

/** Kinds that a plain connection asks for. Everything else is asked for by name. */
export const connectKinds: readonly PermissionKind[] = ['read', 'orders', 'sign'];

/** One sentence a kind, in the words of what a site can then do. */
export const kindSentence = (kind: PermissionKind): Text => ({ key: `permission_${kind}` });
