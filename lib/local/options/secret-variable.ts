/** Names of variables with secrets: ours, and those of cloud accounts, forges and registries. Hostile files are read without them. */
export const SECRET_VARIABLE = /KEY|TOKEN|SECRET|PASS(?:W|PHRASE)|CREDENTIAL|AUTH/i;
