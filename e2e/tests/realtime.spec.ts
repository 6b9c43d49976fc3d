import { anyPage, expect, open, people, test } from '../support/test.ts';

test("a signed-in page subscribes to the group of its user; a visitor's page does not", async ({ page, signIn }) => {
  await open(page, anyPage);
  await signIn(people.driver);
  const opened = page.waitForEvent('websocket');
  await page.reload();
  const socket = await opened;
  expect(new URL(socket.url()).pathname).toMatch(/^\/realtime/);

  const joined = socket.waitForEvent('framesent', (frame) => String(frame.payload).includes('"joinGroup"'));
  const answered = socket.waitForEvent('framereceived', (frame) => String(frame.payload).includes('"ack"'));
  expect(JSON.parse(String((await joined).payload))).toMatchObject({ group: expect.stringMatching(/^user-\d+$/) });
  expect(JSON.parse(String((await answered).payload))).toMatchObject({ success: true });
});
