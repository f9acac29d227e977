export function TransactionList() { return null; }
