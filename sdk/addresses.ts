/** Where the contracts of a deployment live, by contract name. */
export interface Addresses {
  Arena: string;
  FightToken: string;
  Fighters: string;
  AutoBattler: string;
  MiniGames: string;
}
