/** The words of the page of the audit trail, in English. It defines the words. */
export const AUDIT_EN = {
  audit: 'Audit trail',
  auditText:
    'What people decided and did, the newest first. Each record is signed, and has the hash of the one before it. The page of a mail says what became of a decision.',
  auditHolds:
    'The trail holds (all {newest} checked): each record is as it was signed and follows the one before it, and none is missing at the end.',
  auditPartHolds:
    'What was checked holds (records {from} to {to} of {newest}): each record is as it was signed and follows the one before it, and none is missing at the end of the trail.',
  auditBroken:
    'The trail does not hold. Records that are missing or not as they were signed: {numbers}. Run airlock audit verify, put them back from a copy, and find out who can write there.',
  auditMore: 'airlock audit verify checks all records, and whether each decision about a mail is among them.',
  auditNone: 'There is no record yet.',
  auditNoFit: 'No record fits.',
  auditNoFitYet: 'None of the records {from} to {to} fits. Older records were not looked at yet.',
  auditLost: 'This record is missing, or is not as it was signed. Nothing of it is shown.',
  auditOlder: 'Older records',
  auditNewest: 'Newest records',
  auditNumber: 'Record',
  auditWho: 'Who',
  auditWhat: 'What',
  auditWhy: 'Reason given',
  auditMail: 'Mail',
  auditMailName: 'Mail: its reference or its run',
  auditAny: 'anything',
  didAsk: 'Asked for its release by two people',
  didRelease: 'Released it',
  didRescan: 'Had it analysed again',
  didDelete: 'Deleted it',
  didReportFalseAlarm: 'Reported it as a false alarm',
  didDrop: 'Dropped it at the desk',
  didDownload: 'Took its original out',
  didBlock: 'Blocked',
  didUnblock: 'Took off the list of blocks',
  didSeal: 'Accepted that records are missing at the end of the trail',
  formRebuilt: 'as rebuilt',
  formOriginal: 'as it came',
};
