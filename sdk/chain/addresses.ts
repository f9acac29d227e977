/** Addresses of the contracts of a deployment, by contract name. */
export interface Addresses {
  Arena: string;
  FightToken: string;
  Fighters: string;
  GuardianCards: string;
  AutoBattler: string;
  Guardians: string;
  MiniGames: string;
  Pistols: string;
  TicTacToe: string;
  Warmancer: string;
  AutoBattlerLog: string;
  GuardiansLog: string;
  MiniGamesLog: string;
  PistolsLog: string;
  TicTacToeLog: string;
  WarmancerLog: string;
}
