/**
 * A Lambda for a rule of EventBridge ({ "source": ["mail-airlock"], "detail-type": ["MessageQuarantined"] }): posts one line to a webhook in
 * the form that Slack, Mattermost and others take. WEBHOOK_URL says where. It needs no package.
 */
export async function handler(event) {
  const { reference, state, verdict, reasons, intake } = event.detail;
  const codes = reasons.join(', ');
  // Names were chosen by the sender, so they are shown as code, in which no chat makes links or mentions.
  const key = intake.untrustedKey.replace(/[`\r\n]/g, ' ').slice(0, 200);
  const text = `Mail ${reference} is ${state} (${verdict}): ${codes}. Object \`${key}\``;
  const answer = await fetch(process.env.WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  // Lambda tries again when this throws.
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`);
}
