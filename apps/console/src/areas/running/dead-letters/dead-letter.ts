/** A dead letter of the list. */
export interface DeadLetter {
  readonly key: string;
  readonly service: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly subject: string | null;
  readonly queue: string | null;
  readonly reason: string | null;
  readonly time: string | null;
}

/** The content as it is read best: JSON with line breaks, other texts as they are. */
export function readableContent(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}
