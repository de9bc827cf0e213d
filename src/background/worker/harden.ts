import { hardenIntrinsics } from './hardenIntrinsics.ts';

// A module of its own, imported first: imports run before the statements of the module that names
// them.
hardenIntrinsics();
