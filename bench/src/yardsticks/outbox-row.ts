import { randomBytes } from 'node:crypto';

export interface YardstickEvent {
  readonly entity: string;
  readonly id: string;
  readonly change: 'created' | 'updated';
  readonly attributes: readonly string[];
  readonly by: string;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC. */
  readonly moment: string;
}

/** Values of the columns `id`, `type`, `subject`, `envelope`: the rows that the platform writes. */
export function outboxParameters(eventId: string, { entity, id, change, attributes, by, moment }: YardstickEvent) {
  const type = 'data.entity.changed.v1';
  const subject = `${entity}/${id}`;
  const trace = randomBytes(24).toString('hex');
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: '/lintel/data',
    type,
    subject,
    time: `${moment}Z`,
    datacontenttype: 'application/json',
    traceparent: `00-${trace.slice(0, 32)}-${trace.slice(32)}-00`,
    data: { entity, id, change, attributes, by },
  };
  return [eventId, type, subject, JSON.stringify(envelope)];
}
