// #region test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpTestingApp } from '@mocapi/testing';
import { AppModule } from './app.module.js';

void test('forecast uses celsius if the call names no unit', async () => {
  const testing = await createMcpTestingApp({ module: AppModule });
  try {
    const { result } = await testing.client().callTool('forecast', { city: 'Graz' });
    assert.deepEqual(result?.structuredContent, { city: 'Graz', unit: 'celsius', temperature: 21 });
  } finally {
    await testing.close();
  }
});
// #endregion test
