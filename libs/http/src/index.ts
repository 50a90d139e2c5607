export type { RequestContext } from './request-context.ts';
