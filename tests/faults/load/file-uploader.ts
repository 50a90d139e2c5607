import { createHash, randomBytes } from 'node:crypto';
import type { Complaints } from './complaints.ts';
import type { InstanceLedger } from './instance-ledger.ts';
import { jsonOf, type LoadClient } from './load-client.ts';

const SIZE_BYTES = 40_000;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/** Uploads files, and reads what was acknowledged again and again. */
export class FileUploader {
  private readonly client: LoadClient;
  private readonly ledger: InstanceLedger;
  private readonly complaints: Complaints;
  private last: string | undefined;

  constructor(client: LoadClient, ledger: InstanceLedger, complaints: Complaints) {
    this.client = client;
    this.ledger = ledger;
    this.complaints = complaints;
  }

  async step(): Promise<void> {
    if (this.last === undefined) await this.upload();
    else {
      await this.compare(this.last);
      this.last = undefined;
    }
  }

  /** Compares a file with what was sent; returns whether it could be read. */
  async compare(fileRef: string): Promise<boolean> {
    const outcome = await this.client.send({
      method: 'GET',
      path: `/rest/files?fileRef=${encodeURIComponent(fileRef)}`,
    });
    if (outcome.kind === 'refused' && outcome.status === 404) this.complaints.add(`the file ${fileRef} is lost`);
    if (outcome.kind !== 'done') return false;
    if (digestOf(outcome.bytes) !== this.ledger.files.get(fileRef))
      this.complaints.add(`the file ${fileRef} has other bytes than were uploaded`);
    return true;
  }

  private async upload(): Promise<void> {
    const bytes = new Uint8Array(randomBytes(SIZE_BYTES));
    const outcome = await this.client.send({ method: 'POST', path: '/rest/files?name=load.bin', bytes });
    if (outcome.kind !== 'done') return;
    const { fileRef } = jsonOf<{ readonly fileRef: string }>(outcome);
    this.ledger.files.set(fileRef, digestOf(bytes));
    this.last = fileRef;
  }
}
