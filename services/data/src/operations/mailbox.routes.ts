import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { receiveOperator } from './receive-operator.ts';

/** Mails that one process shows instead of sending them (contract/operations.md#mailbox). */
export function registerMailboxRoute(router: Router, { ports, config, accessOf }: Engine): void {
  const guard = receiveOperator(accessOf);
  const path = config.paths.operationsPath;
  router.get(`${path}/mailbox`, (request, response) => {
    guard(request, response, 'mailbox.view');
    const mails = ports.mailbox?.list() ?? [];
    sendJson(
      response,
      200,
      mails.map(({ id, sentAt, to, subject, text, html = null, unsubscribe = null, attachments = [] }) => ({
        id,
        sentAt,
        to,
        subject,
        text,
        html,
        unsubscribe,
        attachments: attachments.map(({ name, content }) => ({ name, size: content.length })),
      })),
    );
  });
}
