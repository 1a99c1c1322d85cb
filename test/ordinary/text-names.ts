/** Names of texts that developers and administrators mail. */

const words = (list: string) => list.trim().split(/\s+/);

/** These arrive under their own name, because an editor opens it everywhere. */
export const KEPT_NAMES = words(`
  app.log notes.txt README.md LICENSE README CHANGELOG NOTICE AUTHORS Makefile Dockerfile Jenkinsfile Vagrantfile Procfile Gemfile
  Rakefile Podfile Containerfile CODEOWNERS a.ipynb index.rst paper.tex log4j.properties a.toml a.diff a.patch a.ini a.cnf a.yaml
  a.yml a.json a.jsonl a.ndjson a.geojson a.lock a.sql a.tf a.c a.h a.cpp a.hpp a.cc a.cs a.java a.kt a.scala a.gradle a.go a.rs a.swift
  a.m a.mm a.zig a.d a.dart a.pas a.f90 a.asm a.v a.sv a.vhdl a.erl a.clj a.ml a.ts a.tsx a.jsx a.vue a.svelte a.css a.scss a.less a.proto
  a.graphql a.mk a.cmake a.bib a.sty a.po a.srt a.vtt a.adoc a.org a.asc
`);

/** These arrive as a text with its name in front: some program acts on them, or nobody knows what opens them. */
export const RENAMED_NAMES = words(`
  App.sln flake.nix nginx.conf app.cfg a.json5 a.jsonc a.psql a.ddl a.hcl a.tfvars a.tfstate a.service a.timer a.socket a.mount
  a.rules a.repo a.list a.sources a.spec a.ebuild a.j2 a.jinja a.tpl a.tmpl a.mustache a.hbs a.erb a.ejs a.pug a.haml a.slim a.twig a.liquid
  a.fs a.fsi a.sc a.nim a.pp a.lpr a.dpr a.dfm a.ada a.adb a.f a.f77 a.cob a.cbl a.cpy a.s a.svh a.ucf a.xdc a.sdc a.pyi a.pyx a.pm a.t
  a.Rmd a.qmd a.lhs a.elm a.purs a.ex a.exs a.hrl a.cljc a.edn a.lisp a.lsp a.el a.scm a.rkt a.cr a.coffee a.astro a.fish a.sed a.vim a.ninja
  a.bazel a.bzl a.meson a.am a.ac a.m4 a.in a.thrift a.avsc a.prisma a.sol a.vy a.wat a.glsl a.hlsl a.frag a.vert a.wgsl a.cl a.cu a.pde
  a.gcode a.nc a.scad a.obj a.mtl a.xyz a.cif a.mol a.fasta a.fa a.fastq a.gb a.bed a.gff a.sam a.nwk a.psv a.data a.out a.err a.trace
  a.dump a.nfo a.me a.ass a.sub a.lrc a.cue a.strings a.arb a.asciidoc a.wiki a.textile a.man a.1 a.8 a.ms a.bst a.cls a.dtx a.ltx a.lyx
  a.typ a.ris a.enw a.pem a.csr a.md5 a.sha1 a.sha256 a.sum a.zone a.hosts a.pbxproj a.xcconfig a.ldif a.mib a.har a.curl a.http a.rest
  a.feature a.robot a.snap a.map a.gemspec a.podspec a.cabal a.opam a.rockspec a.dockerfile a.abc a.ly a.gnuplot a.gp a.plt a.gv a.puml
  a.mmd a.sas a.sps a.do a.ado a.stan a.inp a.k a.cir a.sp a.net a.ksy a.y a.l a.lex a.g4 a.ebnf a.pest a.peg a.old a.bak a.orig a.rej
  a.default a.example a.sample a.dist a.template build.sh tool.py app.js a.ps1 a.bat a.rb a.pl a.r a.lua a.tcl a.hs a.groovy
`);
