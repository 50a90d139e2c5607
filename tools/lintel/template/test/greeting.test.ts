import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greetingFor } from '../src/customers/customer-service.ts';

test('a greeting ends with a comma', () => {
  assert.equal(greetingFor(' Ada Wright '), 'Dear Ada Wright,');
});
