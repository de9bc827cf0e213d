import { register } from 'tsx/esm/api';

// A thread does not inherit the loader that runs TypeScript in its process.
register();
await import('./stateThread.ts');
