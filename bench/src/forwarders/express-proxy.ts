/** Express and http-proxy-middleware as their documentation shows them, over kept connections. Nothing else. */
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { announce } from '../servers/announce.ts';
import { readServerSettings } from '../servers/server-settings.ts';

const app = express();
app.use(
  createProxyMiddleware({ target: readServerSettings().upstreamUrl ?? '', agent: new Agent({ keepAlive: true }) }),
);
const server = app.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
