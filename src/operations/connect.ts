import type { PermissionKind } from './operation.ts';

/** Kinds that a plain connection asks for. Everything else is asked for by name. */
export const connectKinds: readonly PermissionKind[] = ['read', 'orders', 'sign'];
