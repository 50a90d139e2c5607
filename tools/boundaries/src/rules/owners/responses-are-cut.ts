import type { Rule } from '../../rule.ts';

/** Responses of other servers are not a `ServerResponse`. */
const SENDS = /ServerResponse|'express'/;
const DESTROYS = /\bresponse\.destroy\(/;

export const responsesAreCut: Rule = {
  id: 'responses-are-cut',
  statement: 'Services end incomplete responses with cutResponse of libs/http, and do not destroy them',
  because: 'a client of HTTP/1.0 takes a response whose connection was only closed for complete',
  *check({ files, texts }) {
    for (const { path, isTest } of files) {
      const text = texts.get(path) ?? '';
      if (isTest || !/^services\/|\/send-error\.ts$/.test(path) || !SENDS.test(text)) continue;
      for (const [at, line] of text.split('\n').entries())
        if (DESTROYS.test(line)) yield { file: path, line: at + 1, what: 'destroys a response' };
    }
  },
};
