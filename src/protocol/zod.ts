import { z } from 'zod/mini';

// `zod/mini` brings no texts of its own: without these, every issue says `Invalid input`.
z.config(z.locales.en());

export { z };
