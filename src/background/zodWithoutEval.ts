import { z } from 'zod';

// A module of its own, imported before every module with a schema: zod would otherwise probe `new Function` at the first one, and the
// browser's report of what the content security policy refused makes it parse the full background once more.
z.config({ jitless: true });
