import { Hono } from 'hono';
import type { Env } from './app.ts';

/** OpenAPI document and a reference page; filled from the endpoint table. */
export function reference(): Hono<Env> {
  return new Hono<Env>();
}
